from __future__ import annotations

import pytest

from scorer import BadContext, Context, Hand, HandProblem, NotationError, Tile, Win, check, problems_of
from scorer.hand import FLAGS


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("[123m] [555z] (1111p) 23455s +6s | 1f 6f", "[123m] [555z] (1111p) 23455s +6s | 1f 6f"),
        ("5s5s[123m]2s3s4s(1111p)+6s[555z]|6f1f", "[123m] (1111p) [555z] 23455s +6s | 1f 6f"),
        ("99s 1m 55p", "1m 55p 99s"),
        ("123m", "123m"),
        ("+1m", "+1m"),
        ("", ""),
        ("| 1a", "| 1a"),
        ("EEE🀇 + 🀇", "1m 111z +1m"),
        ("1m 0x", "1m 0x"),
    ],
)
def test_hands_parse_and_print(text: str, printed: str) -> None:
    hand = Hand.parse(text)
    assert str(hand) == repr(hand) == printed
    assert Hand.parse(printed) == hand


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("123m + ", 5),
        ("123m +12p", 5),
        ("123m +1p +2p", 9),
        ("1m | 1f | 2f", 8),
        ("1m ]", 3),
        ("1m [123m", 3),
        ("1m [123m | 1f]", 3),
        ("1m 2q", 4),
        ("1m | 9f", 5),
    ],
)
def test_what_is_no_hand_is_refused_with_its_place(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        Hand.parse(text)
    assert caught.value.position == position


def test_standing_and_all_tiles() -> None:
    hand = Hand.parse("[123m] 55s 234p +1p")
    assert str(Hand(hand.standing)) == "1234p 55s"
    assert len(hand.tiles) == 9


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("123m 456p 789s 55z 77z +7z", HandProblem.NONE),
        ("123m 456p 789s 55z 777z", HandProblem.NONE),
        ("(1111m) (2222m) (3333m) (4444m) 5m +5m", HandProblem.NONE),
        ("123m 456p 789s 55z 77z", HandProblem.TOO_FEW_TILES),
        ("123m 456p 789s 55z 777z +7z", HandProblem.TOO_MANY_TILES),
        ("[111m] [222m] [333m] [444m] [555m] 6m", HandProblem.TOO_MANY_SETS),
        ("[1111m] 123m 456p 789s 7z +7z", HandProblem.FIVE_OF_A_TILE),
        ("123m 456p 789s 55z 77z +7z | 1f 1f", HandProblem.DUPLICATE_BONUS),
        ("123m 456p 789s 55z 7z 0x +7z", HandProblem.FACE_DOWN_TILE),
        ("123m 456p 789s 55z 77z +0x", HandProblem.FACE_DOWN_TILE),
        ("123m 456p 789s 55z 7z 1f +7z", HandProblem.BONUS_IN_HAND),
        ("123m 456p 789s 55z 77z +7z | 1m", HandProblem.NOT_A_BONUS),
        ("11111m 1f 0x | 2f 2f 3m", HandProblem(0b11111001)),
    ],
)
def test_all_problems_of_a_hand_at_once(text: str, problems: HandProblem) -> None:
    hand = Hand.parse(text)
    assert check(hand) == problems
    listed = problems_of(problems, hand)
    assert [item["code"] for item in listed] == [problem.name.lower() for problem in problems if problem.name]
    assert all(item["detail"] for item in listed)


def test_a_context_reads_both_spellings_of_flags_and_prints_itself() -> None:
    context = Context.from_dict(
        {"win": "self_draw", "seat": "2z", "round": "E", "last_wall_tile": True, "heavenly": False}
    )
    assert context == Context(
        Win.SELF_DRAW, Tile.parse("2z"), Tile.parse("1z"), frozenset({"last_wall_tile"})
    )
    assert context == Context.from_dict(
        {"win": "self_draw", "seat": "2z", "round": "1z", "flags": ["last_wall_tile"]}
    )
    assert context.to_dict() == {"win": "self_draw", "seat": "2z", "round": "1z", "last_wall_tile": True}
    assert Context.from_dict(context.to_dict()) == context
    assert Context.from_dict({"win": None, "flowers": 3}).to_dict() == {"flowers": 3}
    assert Context.from_dict({}) == Context()


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"win": "tsumo"}, "win"),
        ({"win": 3}, "win"),
        ({"win": ["discard"]}, "win"),
        ({"seat": "5z"}, "seat"),
        ({"seat": "q"}, "seat"),
        ({"round": 1}, "round"),
        ({"flags": "heavenly"}, "flags"),
        ({"flags": [1]}, "flags"),
        ({"flags": ["riichi"]}, "riichi"),
        ({"heavenly": "yes"}, "heavenly"),
        ({"flowers": 9}, "flowers"),
        ({"flowers": True}, "flowers"),
        ({"flowers": "two"}, "flowers"),
        ({"wind": "1z"}, "wind"),
        ([], "context"),
    ],
)
def test_a_bad_context_names_its_field(data: object, field: str) -> None:
    with pytest.raises(BadContext, match=field) as caught:
        Context.from_dict(data)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert caught.value.code == "bad_context"


def test_flags_are_known_by_name() -> None:
    assert Context(flags=frozenset(FLAGS)).flags == set(FLAGS)
