"""Singapore's house rules of payment: each, at each of its values, changes what it should and nothing else.

Every situation below is settled under every house rule; a house rule names the situations that it changes
and what is then paid, and all others must be paid as before.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scorer import RULESETS, Breakdown, FanLine, Hand, Seats, Settlement, Tile, instant_payments
from scorer.fan import OptionValue
from scorer.game import DrawnHand
from scorer.rulesets.singapore_payments import pay
from scorer.tiles import WINDS
from tests.scorer.test_singapore_options import _of_score

EAST, SOUTH, WEST, NORTH = WINDS
SINGAPORE = RULESETS["singapore"]
Sums = tuple[int, int, int, int]

#: Wins and false wins: tai, the fan that matters, whether it is legal, and the seats. South wins or says so.
SITUATIONS: Mapping[str, tuple[int, str, bool, Seats]] = {
    "discard": (3, "half_flush", True, Seats(SOUTH, EAST)),
    "drawn": (3, "half_flush", True, Seats(SOUTH)),
    "limit": (5, "big_four_winds", True, Seats(SOUTH, EAST)),
    "wonders": (5, "thirteen_wonders", True, Seats(SOUTH, EAST)),
    "one of three": (3, "half_flush", True, Seats(WEST, EAST, also_won=(SOUTH, NORTH))),
    "false": (0, "half_flush", False, Seats(SOUTH, EAST)),
    "false, drawn": (0, "half_flush", False, Seats(SOUTH)),
    "liable, fresh": (3, "half_flush", True, Seats(SOUTH, EAST, NORTH)),
    "liable, dragons": (4, "small_three_dragons", True, Seats(SOUTH, EAST, NORTH)),
    "liable, winds": (4, "small_four_winds", True, Seats(SOUTH, EAST, NORTH)),
    "liable, flush": (4, "full_flush", True, Seats(SOUTH, EAST, NORTH)),
    "liable, green": (4, "all_green", True, Seats(SOUTH, EAST, NORTH)),
    "liable, terminals": (4, "all_terminals", True, Seats(SOUTH, EAST, NORTH)),
    "liable, kongs": (4, "eighteen_arhats", True, Seats(SOUTH, EAST, NORTH)),
    "liable, limit": (5, "half_flush", True, Seats(SOUTH, EAST, NORTH)),
}
#: What is paid at once to south: the hand, and whether the tiles were there before the first replacement.
AT_ONCE: Mapping[str, tuple[str, bool]] = {
    "pair of animals": ("1m | 1a 2a", False),
    "four animals": ("1m | 1a 2a 3a 4a", False),
    "own pair": ("1m | 2f 6f", False),
    "flowers": ("1m | 1f 2f 3f 4f", False),
    "all eight": ("1m | 1f 2f 3f 4f 5f 6f 7f 8f", False),
    "exposed kong": ("[1111m] 1p", False),
    "concealed kong": ("(1111m) 1p", False),
    "at the opening": ("1m | 1a 2a", True),
}

LIABLE = [name for name in SITUATIONS if name.startswith("liable")]


def _by_discard(tai: int, unit: int = 1) -> Sums:
    share = unit << tai - 1
    return (-2 * share, 4 * share, -share, -share)


def _from_each(units: int) -> Sums:
    return (-units, 3 * units, -units, -units)


_NORTH_PAYS: Mapping[int, Sums] = {tai: (0, 4 << tai - 1, 0, -(4 << tai - 1)) for tai in range(1, 6)}

DEFAULT: Mapping[str, Sums] = {
    "discard": (-8, 16, -4, -4),
    "drawn": (-8, 24, -8, -8),
    "limit": (-32, 64, -16, -16),
    "wonders": (-32, 96, -32, -32),
    "one of three": (-16, 0, 16, 0),
    "false": (32, -64, 16, 16),
    "false, drawn": (32, -96, 32, 32),
    "liable, fresh": _by_discard(3),
    **{name: _by_discard(4) for name in LIABLE if name not in ("liable, fresh", "liable, limit")},
    "liable, limit": _by_discard(5),
    "pair of animals": (-2, 6, -2, -2),
    "four animals": _from_each(8),  # two pairs and four more
    "own pair": _from_each(2),
    "flowers": _from_each(4),
    "all eight": _from_each(10),  # two groups and the own pair
    "exposed kong": _from_each(2),
    "concealed kong": _from_each(4),
    "at the opening": _from_each(2),
}

_SHOOTER_ALL: dict[str, Sums] = {
    "discard": (-16, 16, 0, 0),
    "limit": (-64, 64, 0, 0),
    "false": (64, -64, 0, 0),
    "liable, fresh": (-16, 16, 0, 0),
    **{name: (-32, 32, 0, 0) for name in LIABLE if name not in ("liable, fresh", "liable, limit")},
    "liable, limit": (-64, 64, 0, 0),
}
_SHOOTER_ALONE: dict[str, Sums] = {
    name: tuple(amount // 2 for amount in sums)  # type: ignore[misc]
    for name, sums in _SHOOTER_ALL.items()
}
#: Where nobody pays twice: three shares of a discard instead of four, three of a drawn hand instead of six.
_SINGLE: dict[str, Sums] = {
    "discard": (-4, 12, -4, -4),
    "drawn": (-4, 12, -4, -4),
    "limit": (-16, 48, -16, -16),
    "wonders": (-16, 48, -16, -16),
    "one of three": (-12, 0, 12, 0),
    "false": (16, -48, 16, 16),
    "false, drawn": (16, -48, 16, 16),
    "liable, fresh": (-4, 12, -4, -4),
    **{name: (-8, 24, -8, -8) for name in LIABLE if name not in ("liable, fresh", "liable, limit")},
    "liable, limit": (-16, 48, -16, -16),
}
_LIMIT_TWICE: dict[str, Sums] = {
    "limit": (-64, 128, -32, -32),
    "wonders": (-64, 192, -64, -64),
    "liable, terminals": (-32, 64, -16, -16),
    "liable, kongs": (-32, 64, -16, -16),
}
_ROUNDED: dict[str, Sums] = {
    # Shares of 4, 8, 16 and 32 as multiples of ten.
    "discard": (-10, 30, -10, -10),
    "drawn": (-10, 30, -10, -10),
    "limit": (-40, 80, -20, -20),
    "wonders": (-40, 120, -40, -40),
    "one of three": (-30, 0, 30, 0),
    "false": (40, -80, 20, 20),
    "false, drawn": (40, -120, 40, 40),
    "liable, fresh": (-10, 30, -10, -10),
    **{name: (-20, 40, -10, -10) for name in LIABLE if name not in ("liable, fresh", "liable, limit")},
    "liable, limit": (-40, 80, -20, -20),
}
#: For each house rule and value: the situations that it changes, and what is paid in them.
CHANGES: Mapping[tuple[str, OptionValue], Mapping[str, Sums]] = {
    ("shooter", "pays_all"): _SHOOTER_ALL,
    ("shooter", "own_share"): _SHOOTER_ALONE,
    ("double_share", False): _SINGLE,
    ("self_draw_bonus", 3): {"drawn": (-11, 33, -11, -11)},
    ("round_up_to", 10): _ROUNDED,
    ("limit_hands_doubled", True): _LIMIT_TWICE,
    ("thirteen_wonders_as_self_draw", False): {"wonders": (-32, 64, -16, -16)},
    # South is next after east, and wins instead.
    ("three_winners", False): {"one of three": (0, 0, 0, 0)},
    ("zha_hu", "none"): {"false": (0, 0, 0, 0), "false, drawn": (0, 0, 0, 0)},
    ("zha_hu_tai", 2): {"false": (4, -8, 2, 2), "false, drawn": (4, -12, 4, 4)},
    ("liability_dragons", True): {"liable, dragons": _NORTH_PAYS[4]},
    ("liability_winds", True): {"liable, winds": _NORTH_PAYS[4]},
    ("liability_flush", True): {"liable, flush": _NORTH_PAYS[4]},
    ("liability_green", True): {"liable, green": _NORTH_PAYS[4]},
    ("liability_terminals", True): {"liable, terminals": _NORTH_PAYS[4]},
    ("liability_kongs", True): {"liable, kongs": _NORTH_PAYS[4]},
    ("liability_limit", True): {"liable, limit": _NORTH_PAYS[5]},
    ("liability_fresh", True): {name: _NORTH_PAYS[SITUATIONS[name][0]] for name in LIABLE},
    ("instant_animal_pair", 1): {
        "pair of animals": _from_each(1),
        "four animals": _from_each(6),
        "at the opening": _from_each(1),
    },
    ("instant_all_animals", 0): {"four animals": _from_each(4)},
    ("instant_own_pair", 3): {"own pair": _from_each(3), "all eight": _from_each(11)},
    ("instant_group", 2): {"flowers": _from_each(2), "all eight": _from_each(6)},
    ("instant_eight", 8): {"all eight": _from_each(18)},
    ("instant_exposed_kong", 1): {"exposed kong": _from_each(1)},
    ("instant_concealed_kong", 2): {"concealed kong": _from_each(2)},
    ("instant_double_opening", True): {"at the opening": _from_each(4)},
    ("dealer_stays_on_win", False): {},
    **{("dealer_on_draw", drawn.value): {} for drawn in DrawnHand if drawn is not DrawnHand.STAYS},
}


def _settled(situation: str, options: Mapping[str, object]) -> Settlement:
    values = SINGAPORE.require_options(options)
    if situation in AT_ONCE:
        hand, opening = AT_ONCE[situation]
        return instant_payments(Hand.parse(hand), SOUTH, values, opening=opening)
    tai, fan, legal, seats = SITUATIONS[situation]
    line = FanLine(SINGAPORE.table(values).by_id[fan], 1)
    return Settlement(pay(Breakdown("singapore", values, legal, legal, 1, tai, tai, tai, (line,)), seats))


def _sums(settlement: Settlement) -> tuple[int, ...]:
    assert all(line.why for line in settlement.lines)
    return tuple(settlement.payments[wind] for wind in WINDS)


@pytest.mark.parametrize("situation", [*SITUATIONS, *AT_ONCE])
def test_what_the_default_pays(situation: str) -> None:
    assert _sums(_settled(situation, {})) == DEFAULT[situation]


@pytest.mark.parametrize(("option", "value"), list(CHANGES))
def test_a_house_rule_of_payment_changes_what_it_should_and_nothing_else(
    option: str, value: OptionValue
) -> None:
    for situation, default in DEFAULT.items():
        wanted = CHANGES[option, value].get(situation, default)
        assert _sums(_settled(situation, {option: value})) == wanted, situation
    assert all(wanted != DEFAULT[name] for name, wanted in CHANGES[option, value].items())


def test_each_value_of_each_house_rule_of_payment_is_tried() -> None:
    for option in SINGAPORE.options:
        if option.id in _of_score():
            continue
        tried = {value for name, value in CHANGES if name == option.id}
        assert tried, option.id
        assert set(option.choices) - {option.default} <= tried, option.id


def test_thirteen_wonders_are_everybodys_whoever_pays_for_a_discard() -> None:
    for mode in ("pays_all", "own_share"):
        assert _sums(_settled("wonders", {"shooter": mode})) == DEFAULT["wonders"]
    both: dict[str, object] = {"shooter": "pays_all", "thirteen_wonders_as_self_draw": False}
    assert _sums(_settled("wonders", both)) == (-64, 64, 0, 0)


def test_a_robbed_kong_takes_nothing() -> None:
    # It is a pung again, and the hand is told so.
    assert instant_payments(Hand.parse("[111m] 1p"), SOUTH, SINGAPORE.require_options(None)).lines == ()


@pytest.mark.parametrize("seat", WINDS)
def test_who_takes_at_once_pays_nothing(seat: Tile) -> None:
    found = instant_payments(Hand.parse("(1111m) 1p | 1a 2a"), seat, SINGAPORE.require_options(None), unit=5)
    assert found.payments == {wind: 90 if wind == seat else -30 for wind in WINDS}
