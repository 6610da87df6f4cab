"""The table of faults is whole, and names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.api.live import ROOT

TABLE = Path(__file__).with_name("README.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TABLE)))


def test_every_fault_and_every_incident_has_a_line() -> None:
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", TABLE, re.MULTILINE)]
    assert numbers == [*range(1, 21), *range(1, 23)]
    for line in re.findall(r"^\| \d+ \|.*$", TABLE, re.MULTILINE):
        assert re.search(r"`tests/[\w/]+\.py", line), line


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_what_it_names_is_there(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert not name or name in defined
