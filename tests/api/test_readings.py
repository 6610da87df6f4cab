"""What a photo may show instead, beside what was seen: ranked, scored, marked."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from api.answers import HandRequest, hand_answer, read_answer
from api.errors import ApiError
from api.schemas import HandAnswer, ReadAnswer
from tests.vision.test_reading import detections
from vision.reading import Reading, read_detections

MODEL = {"name": "stub", "version": "1", "sha256": "0" * 64}
WON = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z"
SHORT = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 6s"


def reading(*rows: str, certainty: dict[int, tuple[float, str]] | None = None) -> Reading:
    return read_detections(detections(*rows, certainty=certainty), 1000, 800, MODEL)


def answer(seen: Reading, **request: Any) -> dict[str, Any]:
    told = hand_answer(seen, HandRequest.from_data({"rules": "hk", **request}), None, 0.1)
    HandAnswer.model_validate_json(json.dumps(told))
    return told


def test_what_was_seen_leads_where_nothing_speaks_against_it() -> None:
    told = answer(reading(WON))["reading"]
    assert told["readings"][0]["hand"] == told["hand"]
    assert told["readings"][0]["changes"] == []
    assert told["readings"][0]["probability"] > 0.6
    assert told["readings"][0]["score"]["is_win"]
    assert told["suggestions"] == []


def test_a_suggestion_is_marked_and_replaces_nothing() -> None:
    told = answer(reading(SHORT, certainty={13: (0.9, "5z")}))
    assert not told["score"]["is_win"]
    assert told["scored_hand"] == told["reading"]["hand"]
    assert told["reading"]["readings"][0]["hand"] == told["reading"]["hand"]
    suggestion = told["reading"]["suggestions"][0]
    assert suggestion["given"] == "the hand wins"
    assert suggestion["score"]["is_win"]
    assert suggestion["changes"] == [{"tile": 13, "seen": "6s", "instead": "5z"}]
    assert 0.02 < suggestion["support"] < 0.3


def test_no_rule_set_no_score() -> None:
    told = read_answer(reading(SHORT, certainty={13: (0.9, "5z")}), None)
    ReadAnswer.model_validate_json(json.dumps(told))
    assert told["suggestions"][0]["score"] is None
    assert told["doubts"][0]["matters"] is None


@pytest.mark.parametrize(("place", "other", "matters"), [(8, "6s", False), (13, "6z", True)])
def test_whether_a_doubt_matters(place: int, other: str, matters: bool) -> None:
    """678 of bamboo is worth what 789 is; a broken pair is worth nothing."""
    told = answer(reading(WON, certainty={place: (0.7, other)}))["reading"]
    (doubt,) = (d for d in told["doubts"] if d["code"] == "unsure_tile")
    assert [choice["value"] for choice in doubt["candidates"]] == [WON.split()[place], other]
    assert doubt["matters"] is matters


def test_overrides_correct_the_reading() -> None:
    seen = reading(SHORT)
    told = answer(seen, overrides={"names": {"13": "5z"}, "roles": {"0": "winning"}})
    assert told["score"]["is_win"]
    assert told["reading"]["winning"] == 0
    assert "+1m" in told["scored_hand"]
    assert told["reading"]["tiles"][13]["tile"] == "5z"


def test_the_overlay_comes_where_it_is_asked_for() -> None:
    seen = reading("1m 2m 3m _ 5z 5z 5z _ 2s 3s 4s 5s 5s 6p 7p 8p")
    assert "overlay" not in answer(seen)["reading"]
    drawn = ElementTree.fromstring(answer(seen, overlay=True)["reading"]["overlay"])
    space = "{http://www.w3.org/2000/svg}"
    assert [group.get("data-tile") for group in drawn.iter(f"{space}g")] == [str(k) for k in range(14)]
    assert len(list(drawn.iter(f"{space}polyline"))) == 2  # a bracket under each set
    corrected = answer(seen, overlay=True, overrides={"roles": {"0": "outside"}})["reading"]["overlay"]
    assert 'data-tile="0" data-role="outside"' in corrected
    with pytest.raises(ApiError, match="overlay"):
        answer(seen, overlay="svg")


def test_an_override_makes_and_unmakes_sets() -> None:
    seen = reading("1m 2m 3m _ 5z 5z 5z _ 2s 3s 4s 5s 5s 6p 7p 8p")
    told = answer(seen, overrides={"roles": {"0": "standing"}})
    assert told["reading"]["hand"] == "[555z] 123m 678p 23455s"
    told = answer(reading(WON), overrides={"sets": [{"tiles": [9, 10, 11]}]})
    assert told["reading"]["hand"] == "[222z] 123m 456p 789s 55z"
    assert told["reading"]["sets"][0]["evidence"] == ["given"]


@pytest.mark.parametrize(
    "overrides",
    [
        {"names": {"99": "1m"}},
        {"names": {"0": "q"}},
        {"names": {"x": "1m"}},
        {"names": ["1m"]},
        {"roles": {"0": "king"}},
        {"roles": {"0": "winning", "1": "winning"}},
        {"sets": [{"tiles": [0, 1]}]},
        {"sets": [{"tiles": [0, 1, 2]}], "roles": {"0": "outside"}},
        {"sets": [{"tiles": [0, 1, 2], "concealed": True}]},
        {"angle": "up"},
        {"colour": 1},
    ],
)
def test_overrides_that_do_not_fit(overrides: dict[str, object]) -> None:
    with pytest.raises(ApiError) as refused:
        answer(reading(WON), overrides=overrides)
    assert refused.value.code == "bad_request"
    assert refused.value.detail.startswith("overrides: ")


def test_false_wins_are_never_made_wins_unasked() -> None:
    """Hands one tile short whose wrong tile nearly looks like the right one: seen, scored and ranked first is
    what is there; the win is a suggestion."""
    random = np.random.default_rng(5)
    right = WON.split()
    for _ in range(40):
        place = int(random.integers(14))
        wrong = str(random.choice([c for c in ("9p", "1s", "7m", "4z") if c != right[place]]))
        row = [*right[:place], wrong, *right[place + 1 :]]
        told = answer(reading(" ".join(row), certainty={place: (0.55, right[place])}))
        assert not told["score"]["is_win"]
        assert not told["reading"]["readings"][0]["score"]["is_win"]
        assert all(s["given"] == "the hand wins" for s in told["reading"]["suggestions"])
        assert [c["tile"] for c in told["reading"]["suggestions"][0]["changes"]] == [place]
        assert any(d["code"] == "unsure_tile" and d["tiles"] == [place] for d in told["reading"]["doubts"])
