"""A hand of tiles as it lies on the table, the circumstances of the win, and everything that can be wrong
with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntFlag, auto

from scorer.errors import BadContext, NotationError, ScorerError
from scorer.melds import Meld, read_meld
from scorer.notation import read_tiles
from scorer.tiles import BACK, KINDS, WINDS, Tile, counts_of, in_order, spell

__all__ = ["FLAGS", "Context", "Hand", "HandProblem", "Win", "check", "problems_of"]


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """A hand: standing tiles, sets on the table, the winning tile and the bonus tiles set aside.

    `concealed` are the standing tiles without the winning one. Where the winning tile is not known it is
    None, and
    `concealed` holds every standing tile. Standing and bonus tiles are kept sorted, so two hands of the same
    tiles
    are equal. The text form is `[123m] (1111p) 23455s +6s | 1f 6f`.

    >>> Hand.parse("[123m] 5s (1111p) 234s5s +6s|1f")
    [123m] (1111p) 23455s +6s | 1f
    """

    concealed: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    winning: Tile | None = None
    bonus: tuple[Tile, ...] = ()
    #: Every standing tile, the winning one included, sorted.
    standing: tuple[Tile, ...] = field(init=False, compare=False)
    #: Every tile but the bonus tiles, sets first in their order, then the standing tiles.
    tiles: tuple[Tile, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        concealed, melds = in_order(self.concealed), tuple(self.melds)
        standing = concealed if self.winning is None else in_order((*concealed, self.winning))
        object.__setattr__(self, "concealed", concealed)
        object.__setattr__(self, "melds", melds)
        object.__setattr__(self, "bonus", in_order(self.bonus))
        object.__setattr__(self, "standing", standing)
        object.__setattr__(self, "tiles", (*(tile for meld in melds for tile in meld.tiles), *standing))

    @classmethod
    def parse(cls, text: str) -> Hand:
        """A hand from notation. Raises NotationError with the offset of what cannot be read.

        Any number of tiles is accepted: whether they make a hand is for `check` to say.
        """
        bar = text.find("|")
        end = len(text) if bar < 0 else bar
        if bar >= 0 and text.find("|", bar + 1) >= 0:
            raise NotationError(
                "only one | parts the bonus tiles from the rest", text, text.find("|", bar + 1)
            )
        standing: list[Tile] = []
        melds: list[Meld] = []
        winning: Tile | None = None
        at = 0
        while at < end:
            if text[at] in "[(":
                meld, at = read_meld(text, at, end)
                melds.append(meld)
            elif text[at] in "])":
                raise NotationError("this bracket was never opened", text, at)
            elif text[at] == "+":
                after = _until(text, at + 1, end)
                found = read_tiles(text, at + 1, after)
                if winning is not None or len(found) != 1:
                    raise NotationError("exactly one winning tile follows a single +", text, at)
                winning, at = found[0][0], after
            else:
                after = _until(text, at, end)
                standing.extend(tile for tile, _ in read_tiles(text, at, after))
                at = after
        bonus = [tile for tile, _ in read_tiles(text, bar + 1)] if bar >= 0 else []
        return cls(tuple(standing), tuple(melds), winning, tuple(bonus))

    def __str__(self) -> str:
        parts = [str(meld) for meld in self.melds]
        for suit in "mpszfax":
            group = [tile for tile in self.concealed if tile.suit == suit]
            if group:
                parts.append(spell(group))
        if self.winning is not None:
            parts.append(f"+{self.winning}")
        if self.bonus:
            parts.append("|")
            parts.extend(str(tile) for tile in self.bonus)
        return " ".join(parts)

    def __repr__(self) -> str:
        return str(self)


def _until(text: str, at: int, end: int) -> int:
    while at < end and text[at] not in "[]()+":
        at += 1
    return at


class HandProblem(IntFlag):
    """What is wrong with the tiles of a hand, all of it at once. No problem does not mean that the hand
    wins."""

    NONE = 0
    TOO_FEW_TILES = auto()
    TOO_MANY_TILES = auto()
    TOO_MANY_SETS = auto()
    FIVE_OF_A_TILE = auto()
    DUPLICATE_BONUS = auto()
    FACE_DOWN_TILE = auto()
    BONUS_IN_HAND = auto()
    NOT_A_BONUS = auto()


_NO_PROBLEM = HandProblem.NONE


def check(hand: Hand, counts: tuple[int, ...] | None = None) -> HandProblem:
    """Every problem of the tiles of `hand` as a bit mask; `HandProblem.NONE` (false) if they can be a full
    hand. `counts` of its tiles, where somebody has counted them already.

    >>> check(Hand.parse("11111m 22p +2p | 3f 3f"))
    <HandProblem.TOO_FEW_TILES|FIVE_OF_A_TILE|DUPLICATE_BONUS: 25>
    """
    problems = _NO_PROBLEM
    size = len(hand.standing)
    wanted = 14 - 3 * len(hand.melds)
    if len(hand.melds) > 4:
        problems |= HandProblem.TOO_MANY_SETS
    elif size < wanted:
        problems |= HandProblem.TOO_FEW_TILES
    elif size > wanted:
        problems |= HandProblem.TOO_MANY_TILES
    if max(counts_of(hand.tiles) if counts is None else counts) > 4:
        problems |= HandProblem.FIVE_OF_A_TILE
    # Standing tiles are sorted, and sets hold neither bonus nor face-down tiles.
    if size and hand.standing[-1].index >= KINDS:
        problems |= _of_others(hand.standing)
    return problems | _of_bonus(hand.bonus) if hand.bonus else problems


def _of_others(standing: tuple[Tile, ...]) -> HandProblem:
    problems = _NO_PROBLEM
    if any(tile.is_bonus for tile in standing):
        problems |= HandProblem.BONUS_IN_HAND
    if any(tile.is_back for tile in standing):
        problems |= HandProblem.FACE_DOWN_TILE
    return problems


def _of_bonus(bonus: tuple[Tile, ...]) -> HandProblem:
    problems = _NO_PROBLEM
    kinds = {tile.index for tile in bonus}
    if len(kinds) != len(bonus):
        problems |= HandProblem.DUPLICATE_BONUS
    if BACK.index in kinds:
        problems |= HandProblem.FACE_DOWN_TILE
    if min(kinds) < KINDS:
        problems |= HandProblem.NOT_A_BONUS
    return problems


def problems_of(problems: HandProblem, hand: Hand) -> list[dict[str, str]]:
    """The set bits of `problems` as `{"code", "detail"}`, each naming the tiles of `hand` that it is
    about."""
    size = len(hand.concealed) + (hand.winning is not None)
    wanted = max(0, 14 - 3 * len(hand.melds))
    counts = Counter(hand.tiles)
    five = sorted(tile for tile, count in counts.items() if count > 4 and tile.index < 34)
    twice = sorted(tile for tile, count in Counter(hand.bonus).items() if count > 1)
    inside = sorted(tile for tile in counts if tile.is_bonus)
    outside = sorted({tile for tile in hand.bonus if not tile.is_bonus and not tile.is_back})
    sets = len(hand.melds)
    held = (
        f"beside {sets} set(s) on the table {wanted} tiles must stand with the winning one; here stand {size}"
    )
    details = {
        HandProblem.TOO_FEW_TILES: held,
        HandProblem.TOO_MANY_TILES: held,
        HandProblem.TOO_MANY_SETS: f"a hand has at most four sets on the table; here are {sets}",
        HandProblem.FIVE_OF_A_TILE: f"a set of tiles has only four of each; here are more of {_list(five)}",
        HandProblem.DUPLICATE_BONUS: f"each bonus tile exists once; here is more than one of {_list(twice)}",
        HandProblem.FACE_DOWN_TILE: "a tile that lies face down cannot be scored",
        HandProblem.BONUS_IN_HAND: f"bonus tiles are set aside, not held in the hand: {_list(inside)}",
        HandProblem.NOT_A_BONUS: f"only flowers, seasons and animals are set aside, not {_list(outside)}",
    }
    return [
        {"code": (problem.name or "").lower(), "detail": detail}
        for problem, detail in details.items()
        if problem & problems
    ]


def _list(tiles: list[Tile]) -> str:
    return " ".join(str(tile) for tile in tiles)


class Win(Enum):
    """How the winning tile came: another player's discard, one's own draw, or another player's kong that is
    robbed."""

    DISCARD = "discard"
    SELF_DRAW = "self_draw"
    ROB_KONG = "rob_kong"


#: The circumstances that are either said or not the case.
FLAGS: tuple[str, ...] = (
    "last_of_its_kind",
    "last_wall_tile",
    "kong_replacement",
    "flower_replacement",
    "double_flower",
    "double_kong",
    "heavenly",
    "earthly",
    "humanly",
    "robbed_concealed_kong",
)

#: Each circumstance that is left open doubles the work.
MOST_UNKNOWN = 3


@dataclass(frozen=True, slots=True)
class Context:
    """What no photo can show: how the hand was won, seat and round wind, and rare circumstances.

    None means unknown, and the score is then a range. A flag that is not in `flags` is false, unless it is in
    `unknown`. `flowers` is a bare count of flowers where the tiles themselves are not listed.
    """

    win: Win | None = None
    seat: Tile | None = None
    round: Tile | None = None
    flags: frozenset[str] = field(default_factory=frozenset)
    flowers: int | None = None
    unknown: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        object.__setattr__(self, "flags", frozenset(self.flags))
        object.__setattr__(self, "unknown", frozenset(self.unknown))
        for name, wind in (("seat", self.seat), ("round", self.round)):
            if wind is not None and wind not in WINDS:
                raise BadContext(f"{wind} is no wind; winds are 1z 2z 3z 4z", name)
        for flag in sorted(self.flags | self.unknown):
            if flag not in FLAGS:
                raise BadContext(f"no such circumstance; known are {', '.join(FLAGS)}", flag)
            if flag in self.flags and flag in self.unknown:
                raise BadContext("is stated and unknown at once", flag)
        if len(self.unknown) > MOST_UNKNOWN:
            raise BadContext(f"at most {MOST_UNKNOWN} circumstances may be left open", min(self.unknown))
        if self.flowers is not None and not 0 <= self.flowers <= 8:
            raise BadContext(f"a set of tiles has eight flowers, not {self.flowers}", "flowers")

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Context:
        """A context from plain data: `win`, `seat`, `round`, `flowers`, and flags as booleans or as a list
        `flags`. A flag that is null is unknown.

        Raises BadContext naming the field that is not understood.
        """
        if not isinstance(data, Mapping):
            raise BadContext("must be an object", "context")
        flags: set[str] = set()
        unknown: set[str] = set()
        for key, value in data.items():
            if key in FLAGS:
                if value is not None and not isinstance(value, bool):
                    raise BadContext("must be true or false", str(key))
                if value is None:
                    unknown.add(key)
                elif value:
                    flags.add(key)
            elif key not in ("win", "seat", "round", "flags", "flowers"):
                raise BadContext("no such field", str(key))
        listed = data.get("flags") or ()
        if not isinstance(listed, (list, tuple, set, frozenset)) or not all(
            isinstance(flag, str) for flag in listed
        ):
            raise BadContext("must be a list of names", "flags")
        flowers = data.get("flowers")
        if flowers is not None and (not isinstance(flowers, int) or isinstance(flowers, bool)):
            raise BadContext("must be a whole number", "flowers")
        return cls(
            win=_win(data.get("win")),
            seat=_wind(data.get("seat"), "seat"),
            round=_wind(data.get("round"), "round"),
            flags=frozenset(flags) | frozenset(listed),
            flowers=flowers,
            unknown=frozenset(unknown),
        )

    def to_dict(self) -> dict[str, object]:
        """The context as plain data, with only what is known or said to be open; `from_dict` reads it
        back."""
        data: dict[str, object] = {}
        if self.win is not None:
            data["win"] = self.win.value
        if self.seat is not None:
            data["seat"] = str(self.seat)
        if self.round is not None:
            data["round"] = str(self.round)
        data.update((flag, True) for flag in FLAGS if flag in self.flags)
        data.update((flag, None) for flag in FLAGS if flag in self.unknown)
        if self.flowers is not None:
            data["flowers"] = self.flowers
        return data


def _win(value: object) -> Win | None:
    if value is None or isinstance(value, Win):
        return value
    try:
        return Win(value)
    except ValueError:
        raise BadContext(f"{value!r} is none of {', '.join(win.value for win in Win)}", "win") from None


def _wind(value: object, name: str) -> Tile | None:
    if value is None or isinstance(value, Tile):
        return value
    if not isinstance(value, str):
        raise BadContext("must be a wind such as 1z", name)
    try:
        return Tile.parse(value)
    except ScorerError as error:
        raise BadContext(error.detail, name) from error
