"""Reading order, whichever way the photo was held and however carelessly the tiles were set down."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.layout import arrange, degrees_of

WIDTH, HEIGHT = 40.0, 54.0


class Table:
    """Tiles laid upright in their own frame, then photographed at an angle. Shuffled, so that order in is
    no order out."""

    def __init__(self) -> None:
        self.centres: list[tuple[float, float]] = []
        self.turns: list[float] = []

    def row(self, count: int, top: float, left: float = 0, gaps: dict[int, float] | None = None) -> Table:
        x = left
        for position in range(count):
            x += (gaps or {}).get(position, 0) * WIDTH
            self.centres.append((x + WIDTH / 2, top))
            self.turns.append(0)
            x += WIDTH + 1
        return self

    def photograph(
        self, degrees: float, noise: float = 0, seed: int = 0, certainty: float = 0.9
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.intp]]:
        random = np.random.default_rng(seed)
        angle = math.radians(degrees)
        centres = np.array(self.centres) + random.normal(0, noise, (len(self.centres), 2))
        rotation = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        centres = centres @ rotation.T + 2000
        boxes, ups = [], []
        for (x, y), turn in zip(centres, self.turns, strict=True):
            own = angle + math.radians(turn)
            wide = (abs(WIDTH * math.cos(own)) + abs(HEIGHT * math.sin(own))) / 2
            high = (abs(WIDTH * math.sin(own)) + abs(HEIGHT * math.cos(own))) / 2
            boxes.append((x - wide, y - high, x + wide, y + high))
            own += random.normal(0, 0.06) if noise else 0
            ups.append((certainty * math.sin(own), -certainty * math.cos(own)))
        order = random.permutation(len(boxes))
        return np.array(boxes, np.float32)[order], np.array(ups, np.float32)[order], order


def read(boxes: NDArray[np.float32], up: NDArray[np.float32], order: NDArray[np.intp]) -> list[list[int]]:
    """Rows, each tile by its number in the table's frame."""
    return [[int(order[index]) for index in row] for row in arrange(boxes, up).rows]


ANGLES = [*range(0, 360, 15), 7, 357, 88, 181, 222.5]


@pytest.mark.parametrize("degrees", ANGLES)
@pytest.mark.parametrize("noise", [0, 3])
def test_one_row_at_every_angle(degrees: float, noise: float) -> None:
    boxes, up, order = Table().row(14, 0).photograph(degrees, noise, seed=int(degrees))
    assert read(boxes, up, order) == [list(range(14))]


@pytest.mark.parametrize("degrees", ANGLES)
def test_three_staggered_rows_at_every_angle(degrees: float) -> None:
    table = Table().row(9, 0).row(6, HEIGHT + 6, left=WIDTH / 2).row(3, 2 * HEIGHT + 14, left=3.3 * WIDTH)
    boxes, up, order = table.photograph(degrees, noise=2.5, seed=int(degrees) + 1)
    assert read(boxes, up, order) == [list(range(9)), list(range(9, 15)), list(range(15, 18))]
    layout = arrange(boxes, up)
    assert layout.sure
    assert math.cos(math.radians(layout.angle - degrees)) > math.cos(math.radians(6))


@pytest.mark.parametrize("degrees", range(0, 360, 45))
def test_tiles_turned_sideways_do_not_pull_the_direction(degrees: float) -> None:
    table = Table().row(14, 0, gaps={4: 0.5, 8: 0.5})
    for position in (1, 5, 9):
        table.turns[position] = 90
    boxes, up, order = table.photograph(degrees)
    assert read(boxes, up, order) == [list(range(14))]
    layout = arrange(boxes, up)
    sideways = [place for place in layout.places if place.turned is not None and abs(place.turned) > 45]
    assert sorted(int(order[place.index]) for place in sideways) == [1, 5, 9]
    assert all(place.turned == pytest.approx(90, abs=3) for place in sideways)


@pytest.mark.parametrize("degrees", range(0, 360, 30))
def test_a_row_that_drifts_is_one_row(degrees: float) -> None:
    """Seen from the side, the ends of a row lie a whole tile apart in height."""
    table = Table().row(14, 0).row(14, HEIGHT + 10)
    table.centres = [(x, y + 0.0002 * (x - 280) ** 2) for x, y in table.centres]
    boxes, up, order = table.photograph(degrees)
    assert read(boxes, up, order) == [list(range(14)), list(range(14, 28))]


@pytest.mark.parametrize("tilt", [-18, -10, 10, 18])
def test_rows_tilted_against_the_faces_they_show(tilt: float) -> None:
    """The up vectors are all off by `tilt`: the rows themselves say better how they lie."""
    boxes, up, order = Table().row(12, 0).row(12, HEIGHT + 8).photograph(0)
    angle = math.radians(tilt)
    up = up @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]], np.float32)
    assert read(boxes, up, order) == [list(range(12)), list(range(12, 24))]
    assert arrange(boxes, up).angle == pytest.approx(0, abs=2)


@pytest.mark.parametrize("tilt", [-14, -6, 0, 6, 14])
@pytest.mark.parametrize("certainty", [0.0, 0.1])
def test_unsure_faces_fall_back_to_the_upright_photo(tilt: float, certainty: float) -> None:
    boxes, up, order = Table().row(10, 0).row(10, HEIGHT + 8).photograph(tilt, certainty=certainty)
    assert read(boxes, up, order) == [list(range(10)), list(range(10, 20))]
    layout = arrange(boxes, up)
    assert not layout.sure
    assert layout.angle == pytest.approx(tilt, abs=2)


def test_faces_that_contradict_each_other_are_unsure() -> None:
    boxes, up, _ = Table().row(12, 0).photograph(0)
    angles = np.linspace(0, 2 * math.pi, 12, endpoint=False)
    up = np.stack([np.sin(angles), -np.cos(angles)], axis=1).astype(np.float32)
    assert not arrange(boxes, up).sure


@pytest.mark.parametrize("degrees", [0, 90, 200])
def test_a_minority_upside_down_does_not_matter(degrees: float) -> None:
    """Dots and some bamboos look the same either way, and a network may take them for standing on their
    heads."""
    table = Table().row(14, 0)
    for position in (0, 3, 4, 9, 13):
        table.turns[position] = 180
    boxes, up, order = table.photograph(degrees)
    assert read(boxes, up, order) == [list(range(14))]


def test_gaps_are_told_in_tile_widths() -> None:
    boxes, up, _ = Table().row(9, 0, gaps={3: 1.0, 6: 2.5}).photograph(30)
    gaps = [place.gap for place in arrange(boxes, up).places]
    assert gaps[0] == math.inf
    assert gaps[3] == pytest.approx(1, abs=0.15)
    assert gaps[6] == pytest.approx(2.5, abs=0.2)
    assert max(gaps[i] for i in (1, 2, 4, 5, 7, 8)) < 0.15


@pytest.mark.parametrize("degrees", [0, 120])
def test_two_hands_of_unequal_size_in_one_row_stay_one_row(degrees: float) -> None:
    boxes, up, order = Table().row(8, 0, gaps={4: 6}).photograph(degrees)
    assert read(boxes, up, order) == [list(range(8))]


def test_one_tile_and_none() -> None:
    layout = arrange(np.array([[0, 0, 40, 54]], np.float32), np.array([[0.9, 0]], np.float32))
    assert layout.rows == ((0,),)
    assert layout.angle == pytest.approx(90)
    assert arrange(np.zeros((0, 4), np.float32), np.zeros((0, 2), np.float32)).places == ()


def test_wrong_shapes() -> None:
    with pytest.raises(ValueError, match="boxes"):
        arrange(np.zeros((2, 4), np.float32), np.zeros((1, 2), np.float32))


def test_two_boxes_in_one_place_do_no_harm() -> None:
    boxes = np.array([[0, 0, 40, 54]] * 2, np.float32)
    assert len(arrange(boxes, np.zeros((2, 2), np.float32)).places) == 2


@pytest.mark.parametrize(
    ("vector", "degrees"), [((0, -1), 0), ((1, 0), 90), ((0, 1), 180), ((-1, 0), -90), ((1, -1), 45)]
)
def test_degrees_of(vector: tuple[float, float], degrees: float) -> None:
    assert degrees_of(vector) == pytest.approx(degrees)
