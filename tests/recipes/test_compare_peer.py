"""The comparison judges both readers alike."""

from __future__ import annotations

from pathlib import Path

import compare_peer
import numpy as np

LABELS = [(np.array([[0, 0, 10, 10], [10, 0, 20, 10]], np.float32), ["1m", "1f"])]


def figures(names):
    seen = [(LABELS[0][0], names, 0.25)]
    line = compare_peer.row("x", [Path("a.jpg")], LABELS, seen)
    return line.split()[1:]


def test_a_flower_counts_against_those_who_do_not_know_it_in_one_column_only():
    assert figures(["1m", "1f"]) == ["100.0%", "100.0%", "100.0%", "100.0%", "250"]
    assert figures(["1m", "9s"]) == ["100.0%", "50.0%", "100.0%", "0.0%", "250"]
    assert figures(["2m", "1f"]) == ["100.0%", "50.0%", "0.0%", "0.0%", "250"]


def test_its_names_are_put_into_our_notation():
    assert sorted(compare_peer.NAMES.values()) == [f"{rank}z" for rank in range(1, 8)]
