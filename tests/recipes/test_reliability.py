"""The measures of honesty."""

from __future__ import annotations

import pytest
from reliability import Reliability


def test_an_honest_reader_has_no_calibration_error():
    judged = Reliability()
    judged.add([(0.9, index < 9, True) for index in range(10)])
    assert judged.error == pytest.approx(0)
    assert judged.table() == [(0.8, 0.9, 10, pytest.approx(0.9), pytest.approx(0.9))]


def test_the_error_weighs_each_bin_by_its_tiles():
    judged = Reliability()
    judged.add([(1.0, True, False)] * 30 + [(0.5, False, True)] * 10)
    assert judged.error == pytest.approx(0.25 * 0.5)


def test_a_photo_is_doubted_only_if_every_misnamed_tile_is():
    judged = Reliability()
    judged.add([(0.9, True, False), (0.4, False, True), (0.8, False, False)])
    judged.add([(0.9, True, False), (0.4, False, True)])
    judged.add([(0.9, True, True)])
    assert (judged.misnamed, judged.doubted) == (2, 1)


def test_nothing_read_is_no_error():
    assert Reliability().error == 0
    assert Reliability().table() == []
