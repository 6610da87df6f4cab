from __future__ import annotations

import pytest

from scorer import RULESETS, BadClaim, Claim
from scorer.claim_text import MOST_FANS, fans_of, read_claim

#: 一台花 is the name of two fans, all flowers and all seasons.
SHARED = {"一台花"}


@pytest.mark.parametrize("rules", RULESETS)
def test_every_fan_is_read_by_id_names_and_number(rules: str) -> None:
    for fan in fans_of(RULESETS[rules]).values():
        written = [fan.id, fan.name.en, fan.name.en.upper(), fan.name.zh, fan.id.replace("_", "-")]
        if fan.number is not None:
            written += [str(fan.number), f"#{fan.number}", f"no. {fan.number}", f"第{fan.number}番"]
        for text in written:
            (found,) = read_claim([text], RULESETS[rules])
            assert fan.id in found.ids, text
            assert text in SHARED or len(found.ids) == 1, (text, found.ids)


@pytest.mark.parametrize(
    ("rules", "text", "fan"),
    [
        ("mcr", "Pong of Terminals or Honours", "pung_of_terminals_or_honors"),
        ("mcr", "混一色", "half_flush"),
        ("mcr", "對對和", "all_pungs"),
        ("mcr", "碰碰胡", "all_pungs"),
        ("mcr", "不求人", "fully_concealed_hand"),
        ("mcr", "PTH", "pung_of_terminals_or_honors"),
        ("mcr", "zimo", "self_drawn"),
        ("mcr", "海底撈月", "last_tile_claim"),
        ("mcr", "little 3 dragons", None),
        ("mcr", "small three dragons", "little_three_dragons"),
        ("hk", "对对胡", "all_pungs"),
        ("hk", "All Triplets", "all_pungs"),
        ("hk", "十三幺", "thirteen_orphans"),
        ("hk", "self-drawn", "self_draw"),
        ("hk", "seven pairs", "seven_pairs"),
        ("tvb", "B1", "all_pungs"),
        ("tvb", "x3", "thirteen_orphans"),
        ("tvb", "對對糊", "all_pungs"),
        ("singapore", "碰碰糊", "all_pungs"),
        ("singapore", "Ping Hu", "ping_hu"),
        ("singapore", "臭平胡", "lesser_ping_hu"),
        ("singapore", "cat", "animal"),
    ],
)
def test_spellings(rules: str, text: str, fan: str | None) -> None:
    if fan is None:
        with pytest.raises(BadClaim):
            read_claim([text], RULESETS[rules])
    else:
        assert read_claim([text], RULESETS[rules])[0].ids == (fan,)


def test_a_list_with_numbers_of_times_and_prices() -> None:
    found = read_claim("All Pungs 6, 2x Double Pung；双同刻 x3、#80=1, 混一色 6番", RULESETS["mcr"])
    assert [(fan.ids[0], fan.times, fan.points) for fan in found] == [
        ("all_pungs", 1, 6),
        ("double_pung", 2, None),
        ("double_pung", 3, None),
        ("self_drawn", 1, 1),
        ("half_flush", 1, 6),
    ]
    plus = read_claim("All Pungs + Half Flush+Self-Drawn", RULESETS["mcr"])
    assert [fan.ids[0] for fan in plus] == ["all_pungs", "half_flush", "self_drawn"]


def test_a_name_may_mean_several_fans() -> None:
    assert read_claim("一台花", RULESETS["hk"])[0].ids == ("all_flowers", "all_seasons")
    for text in ("dragon pung", "Dragon Kong", "發財"):
        assert read_claim(text, RULESETS["tvb"])[0].ids == ("first_dragon_pung", "second_dragon_pung"), text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("All Pongz", "perhaps All Pungs"),
        ("#99", "no fan of mcr"),
        ("All Pungs x0", "1 to 16 times"),
        ("All Pungs x99", "1 to 16 times"),
        ("x" * 200, "at most 100"),
        (", ".join(["All Pungs"] * (MOST_FANS + 1)), "no hand has more"),
    ],
)
def test_what_cannot_be_understood(text: str, says: str) -> None:
    with pytest.raises(BadClaim, match=says):
        read_claim(text, RULESETS["mcr"])


def test_a_claim_claims_something() -> None:
    for fans, total in ((None, None), (" , ", None), (None, -1), (None, 10**6)):
        with pytest.raises(BadClaim):
            Claim.read(fans, total, RULESETS["hk"])
    assert Claim.read("對對糊", None, RULESETS["hk"]).to_dict()["fans"][0]["text"] == "對對糊"
