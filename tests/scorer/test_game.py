from __future__ import annotations

import random

import pytest

from scorer import RULESETS, BadGame, Game, Hand, Outcome, Seats, Tile, score, settle, settle_at_once
from scorer.rulesets.tvb_payments import minor_fault
from scorer.tiles import WINDS
from tests.scorer.hands import context_of

EAST, SOUTH, WEST, NORTH = WINDS
#: Four faan of Hong Kong by discard and five self-drawn, three fan and four of the championship.
PUNGS = "[111p] [666m] [999s] 33m 44s +3m"


def _won(
    rules: str, winner: Tile, discarder: Tile | None = None, hand: str = PUNGS, **table: object
) -> Outcome:
    context = context_of(f"{'self_draw' if discarder is None else 'discard'} {winner} 1z")
    answer = score(Hand.parse(hand), context, rules)
    seats = Seats.from_dict({"winner": winner, "discarder": discarder, **table})
    return Outcome(answer, seats, settle(answer, context, seats))


def _points(game: Game) -> list[int]:
    return [standing.points for standing in game.standings]


def test_the_championship_is_sixteen_hands_and_the_deal_always_passes() -> None:
    game = RULESETS["tvb"].game()
    dealers, winds = [], []
    while not game.over:
        dealers.append(game.dealer)
        winds.append(str(game.round))
        game = game.after(_won("tvb", EAST)) if game.hands % 2 else game.after()
    assert dealers == [0, 1, 2, 3] * 4
    assert winds == ["1z"] * 4 + ["2z"] * 4 + ["3z"] * 4 + ["4z"] * 4
    assert game.hands == 16
    with pytest.raises(BadGame, match="over"):
        game.after()


def test_points_go_to_players_and_not_to_seats() -> None:
    game = RULESETS["tvb"].game().after(_won("tvb", SOUTH, EAST))
    assert _points(game) == [-30, 30, 0, 0]
    # Player 1 is east now, and wins again.
    game = game.after(_won("tvb", EAST))
    assert _points(game) == [-50, 90, -20, -20]
    assert [standing.to_dict() for standing in game.standings[:2]] == [
        {"points": -50, "fan": 0, "wins": 0, "deal_ins": 1},
        {"points": 90, "fan": 7, "wins": 2, "deal_ins": 0},
    ]
    assert game.ranking == ((1,), (2, 3), (0,))


def test_equal_points_are_told_apart_by_fan_wins_and_deal_ins() -> None:
    game = RULESETS["tvb"].game()
    # Player 0 wins three fan from 1, and 1 three from 0; 0 and 1 are even with 2 and 3, but for their fan.
    game = game.after(_won("tvb", EAST, SOUTH))
    game = game.after(_won("tvb", game.seat_of(1), game.seat_of(0)))
    assert _points(game) == [0, 0, 0, 0]
    assert game.ranking == ((0, 1), (2, 3))
    # A fault of ten points puts 2 behind 3.
    fine = [minor_fault(game.seat_of(2), 0), minor_fault(game.seat_of(2), 1)]
    assert game.fined(fine).ranking == ((0, 1), (3,), (2,))
    assert RULESETS["hk"].game().ranking == ((0, 1, 2, 3),)


def test_a_false_win_costs_points_and_the_hand_goes_on() -> None:
    game = RULESETS["tvb"].game()
    false = _won("tvb", SOUTH, EAST, "[123m] [456p] 789m 34s 66z +5s")
    with pytest.raises(BadGame, match="penalty"):
        game.after(false)
    fined = game.fined(false.settlement.lines)
    assert _points(fined) == [0, -150, 0, 0]
    assert (fined.hands, fined.dealer) == (0, 0)


def test_an_intercepted_win_is_no_win() -> None:
    game = RULESETS["tvb"].game()
    first = _won("tvb", SOUTH, EAST, also_won=["3z"])
    later = _won("tvb", WEST, EAST, also_won=["2z"])
    game = game.after(first, later)
    assert _points(game) == [-30, 30, 0, 0]
    assert [standing.wins for standing in game.standings] == [0, 1, 0, 0]


@pytest.mark.parametrize(("win", "draw"), [(True, True), (True, False), (False, True), (False, False)])
def test_the_dealer_of_hong_kong_stays_by_house_rule(win: bool, draw: bool) -> None:
    options = {"dealer_stays_on_win": win, "dealer_stays_on_draw": draw}
    game = RULESETS["hk"].game(options)
    assert game.after(_won("hk", EAST)).dealer == (0 if win else 1)
    assert game.after().dealer == (0 if draw else 1)
    assert game.after(_won("hk", SOUTH, EAST)).dealer == 1
    both = (_won("hk", EAST, NORTH, also_won=["2z"]), _won("hk", SOUTH, NORTH, also_won=["1z"]))
    assert game.after(*both).dealer == (0 if win else 1)


@pytest.mark.parametrize(
    ("rule", "dealers"),
    [
        # After a drawn hand without a kong, with one of the dealer, with one of another.
        ("stays", (0, 0, 0)),
        ("passes", (1, 1, 1)),
        ("own_kong_stays", (1, 0, 1)),
        ("any_kong_passes", (0, 1, 1)),
    ],
)
def test_a_drawn_hand_of_singapore_moves_the_deal_by_house_rule(rule: str, dealers: tuple[int, ...]) -> None:
    game = RULESETS["singapore"].game({"dealer_on_draw": rule})
    drawn = (game.after(), game.after(kongs=[EAST]), game.after(kongs=[WEST]))
    assert tuple(after.dealer for after in drawn) == dealers
    # It is the dealer's kong that counts, whoever deals.
    later = game.after(_won("singapore", SOUTH, EAST))
    assert later.after(kongs=[EAST]).dealer == (2 if dealers[1] else 1)


def test_what_is_paid_at_once_is_entered_while_the_hand_goes_on() -> None:
    game = RULESETS["singapore"].game().after(_won("singapore", SOUTH, EAST))
    at_once = settle_at_once(Hand.parse("(1111m) 1p | 1a 2a"), game.seat_of(2), "singapore")
    after = game.fined(at_once.lines)
    assert [new - old for new, old in zip(_points(after), _points(game), strict=True)] == [-6, -6, 18, -6]
    assert (after.hands, after.dealer) == (game.hands, game.dealer)


def test_the_dealer_of_singapore_who_wins_deals_again() -> None:
    game = RULESETS["singapore"].game()
    assert game.after(_won("singapore", EAST), kongs=[SOUTH]).dealer == 0
    assert game.after(_won("singapore", SOUTH, EAST)).dealer == 1
    assert (
        RULESETS["singapore"].game({"dealer_stays_on_win": False}).after(_won("singapore", EAST)).dealer == 1
    )
    # Three winners, the dealer among them.
    also = {EAST: ["2z", "3z"], SOUTH: ["1z", "3z"], WEST: ["1z", "2z"]}
    three = [_won("singapore", seat, NORTH, also_won=others) for seat, others in also.items()]
    after = game.after(*three)
    assert (after.dealer, [standing.wins for standing in after.standings]) == (0, [1, 1, 1, 0])
    assert _points(after)[3] == -sum(_points(after)[:3])
    assert after.standings[3].deal_ins == 3


def test_the_round_has_the_next_wind_when_the_deal_comes_back() -> None:
    game = RULESETS["hk"].game()
    for _ in range(3):
        game = game.after()
    assert (game.dealer, game.kept, str(game.round)) == (0, 3, "1z")
    for _ in range(4):
        game = game.after(_won("hk", SOUTH, EAST))
    assert (game.dealer, game.kept, str(game.round)) == (0, 0, "2z")
    assert game.hands == 7
    assert game.to_dict()["seats"] == ["1z", "2z", "3z", "4z"]


def test_a_player_wins_a_hand_once() -> None:
    with pytest.raises(BadGame, match="once"):
        RULESETS["hk"].game().after(_won("hk", SOUTH, EAST), _won("hk", SOUTH, EAST))


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_the_scores_of_a_session_add_up_to_nothing(rules: str) -> None:
    chance = random.Random(7)
    game = RULESETS[rules].game()
    while not game.over:
        if chance.random() < 0.2:
            game = game.after()
            continue
        winner, other = chance.sample(WINDS, 2)
        game = game.after(_won(rules, winner, chance.choice([None, other])))
        assert sum(_points(game)) == 0
    assert {player for place in game.ranking for player in place} == {0, 1, 2, 3}
