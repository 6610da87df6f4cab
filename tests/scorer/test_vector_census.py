"""How many vectors of each file are run and agree, and why each other one is set aside.

`pytest -s tests/scorer/test_vector_census.py` prints the list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scorer import (
    test_hk_payments,
    test_singapore_payment_vectors,
    test_singapore_vectors,
    test_tvb,
    test_tvb_payments,
    test_vectors,
)

pytestmark = pytest.mark.corpus

#: The file, how many vectors it has, those set aside with the reason, and those that differ without one.
Row = tuple[str, int, dict[str, str], dict[str, str]]


def _read(shared: Path, name: str) -> list[dict[str, Any]]:
    text = (shared / f"rules/vectors/{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _rows(shared: Path) -> Iterator[Row]:
    yield from test_vectors.census(shared)
    found = _read(shared, "hk_payments")
    differing = {each["id"]: "differs" for each in found if not test_hk_payments._agrees(each)}
    yield "hk_payments", len(found), {}, differing
    found = _read(shared, "tvb")
    wrong = {each["id"]: test_tvb._mismatch(each) for each in found}
    yield "tvb", len(found), {}, {ident: why for ident, why in wrong.items() if why}
    found = _read(shared, "tvb_payments")
    differing = {each["id"]: "differs" for each in found if test_tvb_payments._vector(each) != each["expect"]}
    yield "tvb_payments", len(found), {}, differing
    yield from test_singapore_vectors.census(shared)
    total, differing = test_singapore_payment_vectors.census(shared)
    yield "singapore_payments", total, {}, differing


def test_every_vector_agrees_or_is_set_aside_with_its_reason(shared: Path) -> None:
    rows = list(_rows(shared))
    print()
    for name, total, aside, differing in rows:
        print(f"{name:20}{total - len(aside) - len(differing):>5} of {total:>4}, {len(aside)} set aside")
        for ident, why in aside.items():
            print(f"    {ident}: {why}")
    files = {path.stem for path in (shared / "rules/vectors").glob("*.jsonl")}
    assert {name for name, *_ in rows} == {name for name in files if not name.startswith("mcr")}
    assert {name: differing for name, _, _, differing in rows if differing} == {}
    every, aside = sum(total for _, total, _, _ in rows), sum(len(aside) for _, _, aside, _ in rows)
    print(f"{'all':20}{every - aside:>5} of {every:>4}, {aside} set aside ({100 * aside / every:.2f} %)")
    assert 100 * aside < 3 * every
