"""Every reason to look again: which tile or boundary it is about, what it may be instead, and what the hand
would then be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scorer.hand import Hand, HandProblem, check, problems_of
from scorer.tiles import ALL_TILES, Tile
from vision.joint import Evidence
from vision.roles import Overrides, assemble, overridden
from vision.sets import SeenSet
from vision.ways import Structure

__all__ = ["Choice", "Doubt", "doubts_of"]

_SURE = 0.95
"""Probability under which a tile's name is doubted: one tile in twenty of those just above it is wrong."""

_CLOSE = 0.04
"""Probability of the second-best name from which the first is doubted."""

_FAINT = 0.85
"""Probability that there is a tile under which that is doubted."""

_LAID_SO = 0.95
"""Probability under which what lies where is doubted."""

_MENTION = 0.02
_CHOICES = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """What a doubtful thing may be: a tile's code, or words such as `claimed`; its probability 0..1, and the
    hand that it would make."""

    value: str
    probability: float
    hand: Hand

    def to_dict(self) -> dict[str, object]:
        """As in a doubt's `candidates`."""
        return {"value": self.value, "probability": round(self.probability, 4), "hand": str(self.hand)}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason to look again: a stable `code`, a sentence, and the positions of the tiles concerned (empty:
    the hand as a whole). `candidates`, the most probable first, where there is something to choose from."""

    code: str
    detail: str
    tiles: tuple[int, ...] = ()
    candidates: tuple[Choice, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """As in the `read --json` contract."""
        return {
            "code": self.code,
            "detail": self.detail,
            "tiles": list(self.tiles),
            "candidates": [choice.to_dict() for choice in self.candidates],
        }


def doubts_of(
    evidence: Evidence,
    names: Sequence[Tile],
    hand: Hand,
    sets: Sequence[SeenSet],
    near_backs: Sequence[int],
) -> tuple[Doubt, ...]:
    """All doubts of a reading: of its tiles, of what lies where, and of the hand as a whole. `near_backs`
    are tiles that lie face down close to the hand and are in no set."""
    return (
        *_of_tiles(evidence, names),
        *_of_sets(evidence, names, sets),
        *_of_winning(evidence, names, hand),
        *_of_places(evidence, names, near_backs),
        *_of_hand(evidence, names, hand, sets),
    )


def _of_tiles(evidence: Evidence, names: Sequence[Tile]) -> list[Doubt]:
    """One doubt for each tile of the hand whose name, or whose being a tile, is unsure."""
    way = evidence.ways[0]
    doubts: list[Doubt] = []
    for position, name in enumerate(names):
        if way.role(position) == "outside":
            continue
        row = evidence.probabilities[position]
        order = [int(k) for k in (-row).argsort(kind="stable")[:_CHOICES]]
        second = float(row[order[1]])
        if float(row[order[0]]) < _SURE or second >= _CLOSE:
            detail = f"seen as {name} ({float(row[order[0]]):.0%})"
            if second >= 0.005:
                detail += f", perhaps {ALL_TILES[order[1]]} ({second:.0%})"
            doubts.append(
                Doubt("unsure_tile", detail, (position,), _namings(way, names, position, order, row))
            )
        if evidence.found[position] < _FAINT:
            without = assemble(_without(way, position), names)[0]
            chance = float(evidence.found[position])
            choices = (Choice(str(name), chance, assemble(way, names)[0]), Choice("", 1 - chance, without))
            detail = f"seen as {name}, but it may be no tile at all"
            doubts.append(Doubt("faint_tile", detail, (position,), _ranked(choices)))
    return doubts


def _namings(
    way: Structure, names: Sequence[Tile], position: int, order: list[int], row: Sequence[float]
) -> tuple[Choice, ...]:
    choices = []
    for kind in order:
        if row[kind] >= _MENTION:
            called = [*names[:position], ALL_TILES[kind], *names[position + 1 :]]
            choices.append(Choice(str(ALL_TILES[kind]), float(row[kind]), assemble(way, called)[0]))
    return tuple(choices)


def _ranked(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    return tuple(sorted(choices, key=lambda choice: -choice.probability))


def _without(way: Structure, position: int) -> Structure:
    return overridden(way, Overrides(roles={position: "outside"}), ALL_TILES[:1] * (position + 1))


def _share(evidence: Evidence, holds: Callable[[Structure], bool]) -> float:
    """How probable it is that something about the way tiles lie holds."""
    return sum(way.probability for way in evidence.ways if holds(way))


def _of_sets(evidence: Evidence, names: Sequence[Tile], sets: Sequence[SeenSet]) -> list[Doubt]:
    """Sets that are taken for claimed on no more than their lying apart, or whose faces make none."""
    doubts: list[Doubt] = []
    way = evidence.ways[0]
    for seen, piece in zip(sets, way.sets, strict=True):
        if "given" in seen.evidence:
            continue
        if seen.meld is None and seen.likely is not None:
            called = list(names)
            for member, name in zip(piece.members, piece.names, strict=False):
                if not names[member].is_back:
                    called[member] = ALL_TILES[name]
            choice = Choice(str(seen.likely), seen.confidence, assemble(way, called)[0])
            detail = f"lies as a set, but is seen as none; perhaps {seen.likely}"
            doubts.append(Doubt("broken_set", detail, seen.members, (choice,)))
            continue
        if seen.meld is None:
            detail = "four tiles face down are taken for a concealed kong; which, nobody can see"
            doubts.append(Doubt("hidden_kong", detail, seen.members))
            continue
        if seen.confidence >= _LAID_SO and set(seen.evidence) != {"apart"}:
            continue
        why = "lies in front" if "in_front" in seen.evidence else "lies apart"
        kind = "a concealed kong" if seen.concealed else "claimed"
        loose = _dissolved(way, seen)
        choices = (
            Choice(
                "concealed_kong" if seen.concealed else "claimed", seen.confidence, assemble(way, names)[0]
            ),
            Choice("standing", 1 - seen.confidence, assemble(loose, names)[0]),
        )
        detail = f"{seen.meld} is taken for {kind} because it {why}"
        doubts.append(Doubt("claimed_set", detail, seen.members, _ranked(choices)))
    return doubts


def _dissolved(way: Structure, seen: SeenSet) -> Structure:
    """The same with one set standing in the hand."""
    sets = tuple(piece for piece in way.sets if tuple(sorted(piece.members)) != seen.members)
    return replace(way, sets=sets, standing=tuple(sorted((*way.standing, *seen.members))))


def _of_winning(evidence: Evidence, names: Sequence[Tile], hand: Hand) -> list[Doubt]:
    """The winning tile, where it is seen but not for certain."""
    way = evidence.ways[0]
    if way.winning is None or hand.winning is None or "given" in way.winning_evidence:
        return []
    won = way.winning
    chance = _share(evidence, lambda other: other.winning == won)
    if chance >= _LAID_SO and "turned_tile" in way.winning_evidence:
        return []
    loose = replace(way, winning=None, standing=tuple(sorted((*way.standing, won))))
    choices = (
        Choice(str(hand.winning), chance, hand),
        Choice("unknown", 1 - chance, assemble(loose, names)[0]),
    )
    why = "lies turned" if "turned_tile" in way.winning_evidence else "lies apart"
    detail = f"{hand.winning} is taken for the winning tile because it {why}"
    return [Doubt("winning_tile", detail, (won,), _ranked(choices))]


def _of_places(evidence: Evidence, names: Sequence[Tile], near_backs: Sequence[int]) -> list[Doubt]:
    """What was concluded from the way the tiles lie, or could not be."""
    doubts: list[Doubt] = []
    way = evidence.ways[0]
    if near_backs:
        detail = "lies face down in no concealed kong, and is left out"
        doubts.append(Doubt("face_down_tile", detail, tuple(near_backs)))
    outside = tuple(sorted(set(way.outside) - set(near_backs)))
    if outside:
        detail = "more tiles than a hand has: one group is taken for the hand, and these are left out"
        doubts.append(Doubt("other_tiles", detail, outside))
    others = [other for other in evidence.ways[1:] if other.probability >= 1 - _LAID_SO]
    others = [other for other in others if set(other.outside) != set(way.outside)]
    if others:
        moved = sorted({k for other in others for k in set(other.outside) ^ set(way.outside)})
        choices = [
            Choice("seen" if other is way else "otherwise", other.probability, assemble(other, names)[0])
            for other in (way, *others[: _CHOICES - 1])
        ]
        detail = "whether these tiles are of the hand is unclear"
        doubts.append(Doubt("unsure_boundary", detail, tuple(moved), _ranked(choices)))
    if not way.sure and sum(not name.is_back for name in names) > 1:
        detail = "which way the faces point is unclear; the photo is taken to be upright"
        doubts.append(Doubt("unsure_direction", detail))
    return doubts


def _of_hand(evidence: Evidence, names: Sequence[Tile], hand: Hand, sets: Sequence[SeenSet]) -> list[Doubt]:
    """What the rules of every table say against the hand, each pointing at its tiles."""
    way = evidence.ways[0]
    where: dict[Tile, list[int]] = defaultdict(list)
    for position, name in enumerate(names):
        if way.role(position) != "outside":
            where[name].append(position)
    hidden = [seen.meld.tile for seen in sets if seen.concealed and seen.meld is not None]
    many = [
        tile for tile, places in where.items() if len(places) + 2 * hidden.count(tile) > 4 and tile.index < 34
    ]
    twice = [tile for tile, places in where.items() if len(places) > 1 and tile.is_bonus]
    located = {HandProblem.FIVE_OF_A_TILE: many, HandProblem.DUPLICATE_BONUS: twice}
    problems = check(hand)
    doubts: list[Doubt] = []
    for problem in HandProblem:
        if not problem & problems:
            continue
        positions = sorted(position for tile in located.get(problem, ()) for position in where[tile])
        doubts.extend(
            Doubt(entry["code"], entry["detail"], tuple(positions)) for entry in problems_of(problem, hand)
        )
    return doubts
