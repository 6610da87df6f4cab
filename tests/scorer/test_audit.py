from __future__ import annotations

import random

import pytest

from scorer import RULESETS, Audit, Claim, Context, Hand, Verdict, audit, score
from scorer.claim_text import ClaimedFan
from scorer.fan import FanLine
from tests.scorer.hands import random_hand
from tests.scorer.mcr_oracle import cases

BY_DISCARD = {"win": "discard", "seat": "1z", "round": "1z"}
STRAIGHT = "[123m] 456789m 23p 55s +1p"


def asked(
    hand: str,
    claim: str | None,
    total: int | None = None,
    rules: str = "mcr",
    context: dict[str, object] | None = None,
    options: dict[str, object] | None = None,
    tell_more: bool = False,
) -> Audit:
    told = Context.from_dict(BY_DISCARD if context is None else context)
    claimed = Claim.read(claim, total, RULESETS[rules])
    return audit(Hand.parse(hand), told, claimed, rules, options, tell_more=tell_more)


def claim_of(lines: tuple[FanLine, ...], total: int | None) -> Claim:
    return Claim(tuple(ClaimedFan((line.fan.id,), line.fan.id, line.times) for line in lines), total)


def codes(found: Audit) -> list[str]:
    return [line.code for line in found.lines]


@pytest.mark.parametrize("rules", RULESETS)
def test_what_the_scorer_counts_is_a_valid_claim_and_more_is_not(rules: str) -> None:
    chance = random.Random(12)
    bonus = {"hk": "f", "singapore": "fa"}.get(rules, "")
    verdicts = set()
    for number in range(250):
        hand = random_hand(chance, bonus) if rules != "mcr" else cases(1, seed=number)[0].hand
        context = Context.from_dict({**BY_DISCARD, "win": chance.choice(["discard", "self_draw"])})
        best = score(hand, context, rules)
        for lines in (best.fans, *(tie.fans for tie in best.ties)):
            if not lines:
                continue
            found = audit(hand, context, claim_of(lines, best.total), rules)
            wanted = Verdict.VALID if best.legal else Verdict.BELOW_MINIMUM
            assert found.verdict is wanted, (hand, codes(found))
            assert found.stands.total == best.total
            verdicts.add(found.verdict)
        found = audit(hand, context, Claim(total=best.uncapped + 1), rules)
        wanted = Verdict.OVER_CLAIMED if best.legal else Verdict.BELOW_MINIMUM
        assert found.verdict is wanted
        assert found.stands.total == best.total
    assert Verdict.VALID in verdicts
    # Where one fan wins, a hand that falls short has no fan to claim.
    assert (Verdict.BELOW_MINIMUM in verdicts) is (RULESETS[rules].minimum > 1)


@pytest.mark.parametrize("rules", RULESETS)
def test_no_claim_stands_for_more_than_the_hand_is_worth(rules: str) -> None:
    """Whatever is claimed, what stands is a scoring that the rules allow, and so never above the best."""
    chance = random.Random(4)
    fans = [fan for fan in RULESETS[rules].fans if fan.group.value != "last"]
    for number in range(250):
        hand = cases(1, seed=1000 + number)[0].hand if rules == "mcr" else random_hand(chance)
        context = Context.from_dict({**BY_DISCARD, "win": chance.choice(["discard", "self_draw"])})
        best = score(hand, context, rules)
        drops = [drop.id for drop in best.dropped]
        names = [line.fan.id for line in best.fans] + drops + [chance.choice(fans).id for _ in range(3)]
        claimed = tuple(ClaimedFan((name,), name, chance.choice((1, 1, 2, 3))) for name in names)
        found = audit(hand, context, Claim(claimed), rules)
        assert found.stands.uncapped <= best.uncapped, (hand, names)


def test_another_choice_of_the_same_chows_is_as_right() -> None:
    # 123m 789m 123p 789p: three of the four small fans count, and it does not matter which.
    hand = "[123m] [789m] [123p] 78p 55z +9p"
    small = ["Mixed Double Chow", "Mixed Double Chow", "Two Terminal Chows", "Two Terminal Chows"]
    for left in range(4):
        claim = ", ".join(name for place, name in enumerate(small) if place != left)
        found = asked(hand, f"Outside Hand, One Voided Suit, {claim}", 8)
        assert (found.verdict, found.stands.total) == (Verdict.VALID, 8)
    found = asked(hand, f"Outside Hand, One Voided Suit, {', '.join(small)}")
    assert (found.verdict, found.stands.total) == (Verdict.OVER_CLAIMED, 8)
    (line,) = [line for line in found.lines if line.code == "excluded"]
    assert line.because == "account_once"
    assert "MIL annex 1, 11" in line.rule.says


def test_a_smaller_fan_may_be_claimed_instead_of_the_greater_one() -> None:
    hand = "[555z] [666z] 12m 77z 789p +3m"
    found = asked(hand, "Dragon Pung x2, No Flowers", 3, "hk")
    assert (found.verdict, found.stands.total) == (Verdict.VALID, 3)
    more = asked(hand, "Dragon Pung x2, No Flowers", 3, "hk", tell_more=True)
    assert more.verdict is Verdict.UNDER_CLAIMED
    assert [line.fan.id for line in more.lines if line.code == "unclaimed" and line.fan] == [
        "small_three_dragons"
    ]


def test_fans_of_two_readings_are_not_claimed_together() -> None:
    found = asked("11122233344m 55z +5z", "Pure Triple Chow, Pure Shifted Pungs, All Pungs")
    assert found.verdict is Verdict.OVER_CLAIMED
    assert found.stands.total == 30
    (line,) = [line for line in found.lines if line.code == "not_held"]
    assert line.because == "one_reading"
    assert "123m 123m 123m" in line.says.en
    assert [str(tile) for tile in line.tiles] == ["1m", "2m", "3m"] * 3
    assert asked("11122233344m 55z +5z", "Pure Triple Chow").verdict is Verdict.VALID


def test_each_line_points_at_its_tiles_and_cites_its_article() -> None:
    found = asked("[555z] [666z] 234m 99p 77z +7z", "Big Three Dragons, Dragon Pung, All Pungs")
    by_fan = {line.fan.id: line for line in found.lines if line.fan}
    assert "".join(str(tile)[0] for tile in by_fan["big_three_dragons"].tiles) == "555666777"
    assert by_fan["dragon_pung"].because == "big_three_dragons"
    assert by_fan["dragon_pung"].rule.article.startswith("fan 2 ")
    # All pungs are not there, and the chow is why.
    assert [str(tile) for tile in by_fan["all_pungs"].tiles] == ["2m", "3m", "4m"]
    assert by_fan["all_pungs"].rule.article.startswith("fan 48 ")


def test_what_is_unknown_and_decides_is_asked_for() -> None:
    found = asked(STRAIGHT, "All Chows, Pure Straight, Self-Drawn", context={"seat": "2z", "round": "1z"})
    assert found.verdict is Verdict.CANNOT_BE_DECIDED
    assert found.depends == ("win",)
    assert set(found.possible) == {Verdict.VALID, Verdict.OVER_CLAIMED}
    # What does not depend on it is decided all the same.
    assert asked(STRAIGHT, "Pure Straight", context={}).verdict is Verdict.VALID


def test_a_claim_of_too_little_is_below_the_minimum_though_the_hand_is_not() -> None:
    found = asked(STRAIGHT, "All Chows")
    assert found.verdict is Verdict.BELOW_MINIMUM
    assert "Pure Straight" not in str(found.to_dict())
    assert asked(STRAIGHT, None, 7).verdict is Verdict.BELOW_MINIMUM
    # Flowers are paid and win nothing.
    short = asked("[123m] 678m 23p 678s 55z +4p | 1f 2f 3f 4f 5f 6f 7f 8f", "Flower Tiles x8")
    assert short.verdict is Verdict.BELOW_MINIMUM
    assert short.stands.toward_minimum == 0


def test_the_cap_and_a_total_above_it() -> None:
    found = asked("[111z] [222z] [333z] [444z] 8p +8p", None, 13, "hk")
    assert (found.verdict, found.stands.total, found.stands.uncapped) == (Verdict.VALID, 10, 13)
    assert "capped" in codes(found)
    # Of a claim to nothing nothing is cut off.
    nothing = asked("[111z] [222z] [333z] [444z] 8p +8p", None, 0, "hk")
    assert (nothing.stands.uncapped, codes(nothing)[-1]) == (0, "minimum")
    assert "capped" not in codes(nothing)


def test_a_price_that_is_too_high() -> None:
    found = asked(STRAIGHT, "Pure Straight = 16, All Chows = 4")
    assert found.verdict is Verdict.OVER_CLAIMED
    (line,) = [line for line in found.lines if line.code == "mispriced"]
    assert line.says.en == "All Chows is 2, not 4"
    assert asked(STRAIGHT, "Pure Straight = 16, All Chows = 2").verdict is Verdict.VALID


def test_a_fan_that_house_rules_do_not_play() -> None:
    hand = "[555z] [666z] [777z] 11m 44m +1m"
    found = asked(hand, "Big Three Dragons, Seven Pairs", None, "hk")
    assert [line.code for line in found.lines if line.fan and line.fan.id == "seven_pairs"] == [
        "not_in_table"
    ]


def test_tiles_that_cannot_be_are_looked_at_first() -> None:
    five = asked("11111m 22p 345s 789s +2p", None, 8)
    assert five.verdict is Verdict.CANNOT_BE_DECIDED
    assert [str(tile) for tile in five.lines[0].tiles] == ["1m"] * 5
    assert five.distance is not None
    assert "1m" in [str(tile) for tile in five.distance.spare]
    down = asked("[123m] 456789m 23p 5s 0x +1p", None, 8)
    assert (down.verdict, codes(down)) == (Verdict.CANNOT_BE_DECIDED, ["face_down_tile"])
    sets = asked("[123m] [123m] [123m] [456m] [789m] 1z", None, 8)
    assert sets.verdict is Verdict.WRONG_NUMBER_OF_TILES


def test_a_circumstance_that_the_tiles_speak_against_is_looked_at() -> None:
    told: dict[str, object] = {**BY_DISCARD, "win": "self_draw", "kong_replacement": True}
    found = asked(STRAIGHT, "Pure Straight", context=told)
    assert found.verdict is Verdict.CANNOT_BE_DECIDED
    assert "kong_replacement_without_kong" in codes(found)


def test_a_win_that_the_rules_bar_is_none() -> None:
    told: dict[str, object] = {"win": "rob_kong", "seat": "2z", "round": "1z", "robbed_concealed_kong": True}
    found = asked("[123m] [456p] 789m 34s 88p +5s", "平胡", None, "tvb", told)
    assert (found.verdict, codes(found)[-1]) == (Verdict.NOT_WINNING, "barred")


def test_flowers_that_win_by_themselves() -> None:
    hand = "[222p] 66m 1p 7s 99s 33m 44s | 1f 2f 3f 4f 5f 6f 7f"
    told: dict[str, object] = {"win": "self_draw", "seat": "2z", "round": "1z"}
    assert asked(hand, "花糊", 3, "hk", told).verdict is Verdict.VALID
    assert asked(hand, "大花糊", None, "hk", told).verdict is Verdict.OVER_CLAIMED


def test_the_answer_is_plain_data_that_names_the_options() -> None:
    import json

    found = asked(STRAIGHT, "All Chows, Pure Straight", 18, options={"profile": "ema"})
    told = json.loads(json.dumps(found.to_dict()))
    assert told["options"]["profile"] == "ema"
    assert told["says"] == {"en": "The claim is valid", "zh": "申報有效"}
    assert "World Mahjong Organization, 2006" in told["lines"][0]["rule"]["edition"]
