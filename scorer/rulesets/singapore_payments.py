"""Who pays whom in Singapore: for a win, for a false one, for three wins at once, and at once for bonus tiles
and kongs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scorer.errors import BadContext
from scorer.fan import Breakdown, FanGroup, OptionValue
from scorer.game import DrawnHand, Rotation
from scorer.hand import Hand
from scorer.melds import MeldKind
from scorer.settlement import Liability, NoSettlement, OfSeveral, Payment, Seats, Settlement, in_turn
from scorer.tiles import WINDS, Tile

__all__ = [
    "INSTANT_OPTIONS",
    "UNLIMITED",
    "Instant",
    "instant_items",
    "instant_payments",
    "instants",
    "liability",
    "of_several",
    "pay",
    "priced_at_once",
    "rotation",
    "settle_declared",
]

#: What a limit hand is worth in tai where the table plays without a limit.
UNLIMITED = 10

#: For each liability: the fans for which it is. None: whatever the hand is.
_LIABLE: Mapping[str, frozenset[str] | None] = {
    "liability_dragons": frozenset({"big_three_dragons", "small_three_dragons"}),
    "liability_winds": frozenset({"big_four_winds", "small_four_winds"}),
    "liability_flush": frozenset({"full_flush", "all_honours"}),
    "liability_green": frozenset({"all_green"}),
    "liability_terminals": frozenset({"all_terminals"}),
    "liability_kongs": frozenset({"eighteen_arhats"}),
    "liability_fresh": None,
}


def rotation(options: Mapping[str, OptionValue]) -> Rotation:
    """How the deal passes: the dealer who wins keeps it, and a drawn hand is by house rule."""
    return Rotation(bool(options["dealer_stays_on_win"]), DrawnHand(options["dealer_on_draw"]))


def _number(options: Mapping[str, OptionValue], name: str) -> int:
    value = options[name]
    if not isinstance(value, int):
        raise TypeError("house rules must have passed require_options")
    return value


def _share(tai: int, charged: bool, unit: int, options: Mapping[str, OptionValue]) -> int:
    """What one player pays for so many tai: the unit, doubled for each tai after the first.

    `charged`: the player who discarded, or any player where the tile was drawn.
    """
    amount = unit << tai - 1
    if charged and options["double_share"]:
        amount *= 2
    step = _number(options, "round_up_to")
    return -(-amount // step) * step


def _shares(
    tai: int, seats: Seats, charged: set[Tile], options: Mapping[str, OptionValue]
) -> dict[Tile, int]:
    return {seat: _share(tai, seat in charged, seats.unit, options) for seat in seats.others}


def _owed(answer: Breakdown, seats: Seats) -> tuple[dict[Tile, int], bool]:
    """What each player owes before anybody pays for another, and whether all owe as for a drawn tile."""
    options, ids = answer.options, {line.fan.id for line in answer.fans}
    wonders = "thirteen_wonders" in ids and bool(options["thirteen_wonders_as_self_draw"])
    drawn = seats.discarder is None
    charged = set(seats.others) if drawn or wonders else {seat for seat in (seats.discarder,) if seat}
    owed = _shares(answer.total, seats, charged, options)
    if options["limit_hands_doubled"] and any(line.fan.group is FanGroup.LIMIT for line in answer.fans):
        owed = {seat: 2 * amount for seat, amount in owed.items()}
    if drawn:
        more = _number(options, "self_draw_bonus") * seats.unit
        owed = {seat: amount + more for seat, amount in owed.items()}
    return owed, drawn or wonders


def _liability(answer: Breakdown) -> str | None:
    """The house rule under which the one who is named liable pays for all, if one holds for this hand."""
    ids, options = {line.fan.id for line in answer.fans}, answer.options
    for name, fans in _LIABLE.items():
        if options[name] and (fans is None or fans & ids):
            return name
    at_limit = options["limit"] is not None and answer.total == options["limit"]
    return "liability_limit" if options["liability_limit"] and at_limit else None


def liability(options: Mapping[str, OptionValue]) -> Liability | None:
    """When one pays for all, by the house rules that are in force; None where none is."""
    named = [fans for name, fans in _LIABLE.items() if options[name]]
    others = None in named or bool(options["liability_limit"])
    found = frozenset[str]().union(*(fans for fans in named if fans is not None))
    return Liability(found, others) if found or others else None


def of_several(options: Mapping[str, OptionValue]) -> OfSeveral:
    """The next in turn, or all three."""
    return OfSeveral.THREE_OR_ONE if options["three_winners"] else OfSeveral.ONE


def pay(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    """The unit for one tai, doubled for each further one: twice from the shooter, once from the others, twice
    from each for a drawn tile.

    Of two who win on one discard, the next in turn does; all three do, and the shooter alone makes each of
    them good for all shares. A hand that was shown and does not win is a zha hu.
    """
    if not answer.legal:
        return _zha_hu(answer, seats)
    owed, by_all = _owed(answer, seats)
    if seats.discarder is not None and seats.also_won:
        claims = (seats.winner, *seats.also_won)
        if len(claims) == 3 and answer.options["three_winners"]:
            return (_paid(seats.discarder, seats, owed, f"{answer.total} tai, one of three winners"),)
        first = in_turn(seats.discarder, claims)[0]
        if first != seats.winner:
            return (_line(seats.discarder, seats.winner, 0, f"the next in turn wins, {first}"),)
    note = ""
    if seats.liable is not None:
        rule = _liability(answer)
        if rule is not None:
            return (_paid(seats.liable, seats, owed, f"{rule}: {answer.total} tai, for all three"),)
        note = f"; {seats.liable} is not liable: no house rule says so of this hand"
    return _shared(answer, seats, owed, by_all, note)


def _shared(
    answer: Breakdown, seats: Seats, owed: Mapping[Tile, int], by_all: bool, note: str
) -> tuple[Payment, ...]:
    """Who pays what is owed: each player, or the shooter alone."""
    worth, winner = f"{answer.total} tai", seats.winner
    if by_all:
        # Thirteen wonders are everybody's, whatever the shooter pays for otherwise.
        why = "self-drawn" if seats.discarder is None else "thirteen wonders, as if self-drawn"
        return tuple(_line(seat, winner, amount, f"{worth}, {why}{note}") for seat, amount in owed.items())
    shooter, mode = seats.discarder, answer.options["shooter"]
    if shooter is None:
        raise NoSettlement("a discarder is named, or the tile was drawn")
    if mode == "pays_all":
        return (_paid(shooter, seats, owed, f"{worth}, the shooter pays for all three{note}"),)
    if mode == "own_share":
        return (_line(shooter, winner, owed[shooter], f"{worth}, the shooter alone{note}"),)
    roles = {seat: "the shooter" if seat == shooter else "as every player" for seat in owed}
    return tuple(
        _line(seat, winner, amount, f"{worth}, {roles[seat]}{note}") for seat, amount in owed.items()
    )


def _line(payer: Tile, payee: Tile, amount: int, why: str) -> Payment:
    return Payment(payer, payee, amount, why)


def _paid(payer: Tile, seats: Seats, owed: Mapping[Tile, int], why: str) -> Payment:
    """One payment of what all owe."""
    return Payment(payer, seats.winner, sum(owed.values()), why)


def _zha_hu(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    """A false win pays what a limit hand would have won, to those who would have paid for it."""
    options = answer.options
    if options["zha_hu"] == "none":
        return ()
    tai = next(
        (named for named in (options["zha_hu_tai"], options["limit"]) if isinstance(named, int)), UNLIMITED
    )
    shooter = seats.discarder
    charged = set(seats.others) if shooter is None else {shooter}
    owed = _shares(tai, seats, charged, options)
    why = f"zha hu: {tai} tai"
    if shooter is not None and options["shooter"] != "shares":
        # Where only the shooter would have paid, only the shooter is made good.
        amount = sum(owed.values()) if options["shooter"] == "pays_all" else owed[shooter]
        return (_line(seats.winner, shooter, amount, f"{why}, to the shooter alone"),)
    return tuple(_line(seats.winner, seat, amount, why) for seat, amount in owed.items())


def settle_declared(answer: Breakdown, seats: Seats, tai: int, informer: Tile | None = None) -> Settlement:
    """The payments for a winner who has announced another number of tai than the hand is worth.

    What is announced is paid, unless somebody says that it was too much. Who says that it was too little
    pays the difference for all. Raises NoSettlement for a hand that does not win, and BadContext for a number
    or an informer that cannot be.
    """
    if not answer.legal:
        raise NoSettlement("a hand that does not win is a zha hu, whatever is announced")
    limit = answer.options["limit"]
    if not 1 <= tai <= (limit if isinstance(limit, int) else UNLIMITED):
        raise BadContext(f"{tai} tai cannot be announced", "tai")
    if informer is not None and informer not in seats.others:
        raise BadContext("is not one of the others", "informer")
    right = pay(answer, seats)
    if tai > answer.total and informer is not None:
        return Settlement(right)
    announced = pay(replace(answer, total=tai), seats)
    if tai >= answer.total or informer is None:
        return Settlement(announced)
    lacking = sum(line.amount for line in right) - sum(line.amount for line in announced)
    why = f"says that {answer.total} tai were announced as {tai}, and pays the difference for all"
    return Settlement((*announced, _line(informer, seats.winner, lacking, why)))


@dataclass(frozen=True, slots=True)
class Instant:
    """Something that is paid at once: what it is, and how many units each of the other players pays."""

    key: str
    units: int


_PAIRS = (("cat_rat", (1, 2)), ("rooster_centipede", (3, 4)))
_GROUPS = (("complete_flower_group", range(1, 5)), ("complete_season_group", range(5, 9)))
#: Nobody is dealt a kong before the first replacement.
_KONGS = ("exposed_kong", "concealed_kong")
#: Everything that can be paid at once -> the house rule that says how many units.
INSTANT_OPTIONS: Mapping[str, str] = {
    "exposed_kong": "instant_exposed_kong",
    "concealed_kong": "instant_concealed_kong",
    "cat_rat": "instant_animal_pair",
    "rooster_centipede": "instant_animal_pair",
    "all_animals": "instant_all_animals",
    "own_flower_and_season": "instant_own_pair",
    "complete_flower_group": "instant_group",
    "complete_season_group": "instant_group",
    "all_flowers_and_seasons": "instant_eight",
}


def instants(
    bonus: Iterable[Tile], seat: Tile, options: Mapping[str, OptionValue], opening: bool = False
) -> tuple[Instant, ...]:
    """What the bonus tiles of a player take at once, under house rules that `require_options` has passed.

    `opening`: they were held before the first replacement.
    """
    held = set(bonus)
    flowers = {tile.rank for tile in held if tile.suit == "f"}
    animals = {tile.rank for tile in held if tile.suit == "a"}
    found = [key for key, ranks in _PAIRS if animals >= set(ranks)]
    if len(animals) == 4:
        found.append("all_animals")
    if flowers >= {seat.rank, seat.rank + 4}:
        found.append("own_flower_and_season")
    found.extend(key for key, ranks in _GROUPS if flowers >= set(ranks))
    if len(flowers) == 8:
        found.append("all_flowers_and_seasons")
    return _due(found, options, opening)


def _due(keys: Iterable[str], options: Mapping[str, OptionValue], opening: bool) -> tuple[Instant, ...]:
    """What each of these is worth; what the house rules pay nothing for is left out."""
    twice = opening and options["instant_double_opening"]
    found = []
    for key in keys:
        units = _number(options, INSTANT_OPTIONS[key])
        if units:
            found.append(Instant(key, units * 2 if twice and key not in _KONGS else units))
    return tuple(found)


def priced_at_once(options: Mapping[str, OptionValue], opening: bool) -> dict[str, int]:
    """What is paid at once under these house rules: each name with the units that each other player pays."""
    return {item.key: item.units for item in _due(INSTANT_OPTIONS, options, opening)}


def instant_payments(
    hand: Hand, seat: Tile, options: Mapping[str, OptionValue], unit: int = 1, opening: bool = False
) -> Settlement:
    """What the other three pay a player at once for the bonus tiles and kongs of a hand.

    A unit is what one tai is worth. Options must have passed `require_options`. A kong that was robbed is no
    kong: leave it out.
    """
    kongs = [meld for meld in hand.melds if meld.kind is MeldKind.KONG]
    named = ["concealed_kong" if meld.concealed else "exposed_kong" for meld in kongs]
    due = (*instants(hand.bonus, seat, options, opening), *_due(named, options, opening))
    return _at_once(due, seat, unit)


def instant_items(
    keys: Iterable[str],
    seat: Tile,
    options: Mapping[str, OptionValue],
    unit: int = 1,
    opening: bool = False,
) -> Settlement:
    """The same for what is named, by the keys of `INSTANT_OPTIONS`: kongs and bonus tiles as they come up.

    `opening`: the bonus tiles were held before the first replacement. Raises BadContext for another key.
    """
    named = tuple(keys)
    for key in named:
        if key not in INSTANT_OPTIONS:
            raise BadContext(f"{key!r} is none of {', '.join(INSTANT_OPTIONS)}", "items")
    return _at_once(_due(named, options, opening), seat, unit)


def _at_once(due: Iterable[Instant], seat: Tile, unit: int) -> Settlement:
    lines = [
        Payment(
            other, seat, item.units * unit, f"{item.key.replace('_', ' ')}: {item.units} from each, at once"
        )
        for item in due
        for other in WINDS
        if other != seat
    ]
    return Settlement(tuple(lines))
