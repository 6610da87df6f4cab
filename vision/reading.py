"""What was seen in a photo: the tiles, the hand that they make, and every reason to look again.

A reading says what was seen and repairs nothing. Where a tile is unsure, or the hand cannot be one, a
doubt says so and points at the tiles; the hand is still the one that was seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from scorer import Hand, HandProblem, check, problems_of
from scorer.tiles import ALL_TILES, Tile
from vision.detector import Detections
from vision.errors import NoTiles
from vision.layout import Layout, arrange, degrees_of
from vision.sets import SeenSet, claimed_sets, concealed_kongs, others

__all__ = ["Doubt", "Reading", "SeenTile", "read_detections"]

_SURE = 0.85
"""Probability under which a tile's name is doubted."""

_CLOSE = 0.1
"""Probability of the second-best name from which the first is doubted."""

_FAINT = 0.4
"""Certainty of a box under which there may be no tile at all."""

_MENTION = 0.005
_ALTERNATIVES = 3


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile as it was seen.

    `box` x0, y0, x1, y1 in pixels of the upright photo; `confidence` the probability 0..1 of its name;
    `alternatives` the next likely names, best first; `row` from 0; `up` the angle of its face, degrees
    clockwise from the photo's top, None if unsure; `found` 0..1 how sure it is that a tile lies there.
    """

    tile: Tile
    box: tuple[float, float, float, float]
    confidence: float
    alternatives: tuple[tuple[Tile, float], ...]
    row: int
    up: float | None = None
    found: float = 1.0

    def to_dict(self) -> dict[str, object]:
        """As in the `read --json` contract."""
        return {
            "tile": str(self.tile),
            "box": [round(side, 1) for side in self.box],
            "confidence": round(self.confidence, 4),
            "alternatives": [
                {"tile": str(tile), "probability": round(p, 4)} for tile, p in self.alternatives
            ],
            "row": self.row,
        }


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason to look again: a stable `code`, a sentence, and the positions of the tiles concerned (empty:
    the hand as a whole)."""

    code: str
    detail: str
    tiles: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """As in the `read --json` contract."""
        return {"code": self.code, "detail": self.detail, "tiles": list(self.tiles)}


@dataclass(frozen=True, slots=True)
class Reading:
    """A photo, read. `tiles` in reading order, `rows` their positions row by row, `hand` what they make,
    `angle` in degrees clockwise of the direction in which the faces stand upright, `model` what named
    them."""

    width: int
    height: int
    tiles: tuple[SeenTile, ...]
    rows: tuple[tuple[int, ...], ...]
    hand: Hand
    doubts: tuple[Doubt, ...]
    angle: float = 0.0
    model: Mapping[str, str] = field(default_factory=dict)
    photo: str | None = None

    def to_dict(self, photo: str | None = None) -> dict[str, object]:
        """The object that `read --json` prints for a photo; `photo` is its name, the one given on reading
        if None."""
        return {
            "photo": photo if photo is not None else self.photo,
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_dict() for tile in self.tiles],
            "hand": str(self.hand),
            "doubts": [doubt.to_dict() for doubt in self.doubts],
            "model": dict(self.model),
        }


def read_detections(
    detections: Detections,
    width: int,
    height: int,
    model: Mapping[str, str] | None = None,
    photo: str | None = None,
) -> Reading:
    """The reading of what a detector found in a photo of `width` x `height` pixels. Raises `NoTiles` if it
    found nothing."""
    if not len(detections):
        raise NoTiles("no tile was found in the photo")
    layout = arrange(detections.boxes, detections.up)
    tiles = tuple(_seen(detections, place.index, place.row, width, height) for place in layout.places)
    names = [seen.tile for seen in tiles]
    outside = frozenset(others(layout, names))
    kongs = tuple(kong for kong in concealed_kongs(layout, names) if not outside.intersection(kong.members))
    bonus = [position for position, tile in enumerate(names) if tile.is_bonus and position not in outside]
    taken = outside.union(bonus, *(kong.members for kong in kongs))
    claimed = claimed_sets(layout, names, taken, outside)
    used = taken.union(*(seen.members for seen in claimed))
    sets = sorted((*kongs, *claimed), key=lambda seen: seen.members)
    standing = [tile for position, tile in enumerate(names) if position not in used and not tile.is_back]
    hand = Hand(tuple(standing), tuple(seen.meld for seen in sets), None, tuple(names[i] for i in bonus))
    unused_backs = tuple(i for i, tile in enumerate(names) if tile.is_back and i not in used)
    doubts = (
        *_doubts_of_tiles(tiles, outside),
        *_doubts_of_layout(layout, tiles, claimed, unused_backs, outside),
        *_doubts_of_hand(hand, tiles, kongs, outside),
    )
    rows: list[list[int]] = [[] for _ in layout.rows]
    for position, place in enumerate(layout.places):
        rows[place.row].append(position)
    return Reading(
        width=width,
        height=height,
        tiles=tiles,
        rows=tuple(tuple(row) for row in rows),
        hand=hand,
        doubts=doubts,
        angle=layout.angle,
        model=dict(model or {}),
        photo=photo,
    )


def _seen(detections: Detections, index: int, row: int, width: int, height: int) -> SeenTile:
    probabilities = detections.probabilities[index]
    order = np.argsort(-probabilities, kind="stable")
    best = int(order[0])
    others = [int(i) for i in order[1 : 1 + _ALTERNATIVES] if probabilities[i] >= _MENTION]
    up = detections.up[index]
    x0, y0, x1, y1 = (float(side) for side in detections.boxes[index])
    return SeenTile(
        tile=ALL_TILES[best],
        box=(max(x0, 0.0), max(y0, 0.0), min(x1, float(width)), min(y1, float(height))),
        confidence=min(float(probabilities[best]), 1.0),
        alternatives=tuple((ALL_TILES[i], float(probabilities[i])) for i in others),
        row=row,
        up=degrees_of(up) if float(np.hypot(up[0], up[1])) >= 0.3 else None,
        found=min(float(detections.scores[index]), 1.0),
    )


def _doubts_of_tiles(tiles: tuple[SeenTile, ...], outside: frozenset[int]) -> list[Doubt]:
    """One doubt for each tile of the hand whose name, or whose being a tile, is unsure."""
    doubts: list[Doubt] = []
    for position, seen in enumerate(tiles):
        if position in outside:
            continue
        runner_up = seen.alternatives[0] if seen.alternatives else None
        close = runner_up is not None and runner_up[1] >= _CLOSE
        if seen.confidence < _SURE or close:
            detail = f"seen as {seen.tile} ({seen.confidence:.0%})"
            if runner_up is not None:
                detail += f", perhaps {runner_up[0]} ({runner_up[1]:.0%})"
            doubts.append(Doubt("unsure_tile", detail, (position,)))
        if seen.found < _FAINT:
            doubts.append(
                Doubt("faint_tile", f"seen as {seen.tile}, but it may be no tile at all", (position,))
            )
    return doubts


def _doubts_of_layout(
    layout: Layout,
    tiles: tuple[SeenTile, ...],
    claimed: tuple[SeenSet, ...],
    unused_backs: tuple[int, ...],
    outside: frozenset[int],
) -> list[Doubt]:
    """What was concluded from the way the tiles lie, or could not be."""
    doubts = [
        Doubt("claimed_set", f"{seen.meld} is taken for claimed because it lies apart", seen.members)
        for seen in claimed
    ]
    if unused_backs:
        doubts.append(
            Doubt("face_down_tile", "lies face down in no concealed kong, and is left out", unused_backs)
        )
    if outside:
        detail = "more tiles than a hand has: one row is taken for the hand, and these are left out"
        doubts.append(Doubt("other_tiles", detail, tuple(sorted(outside))))
    faces = [seen for seen in tiles if not seen.tile.is_back]
    if not layout.sure and len(faces) > 1:
        doubts.append(
            Doubt(
                "unsure_direction", "which way the faces point is unclear; the photo is taken to be upright"
            )
        )
    return doubts


def _doubts_of_hand(
    hand: Hand, tiles: tuple[SeenTile, ...], kongs: tuple[SeenSet, ...], outside: frozenset[int]
) -> list[Doubt]:
    """What the rules of every table say against the hand, each pointing at its tiles."""
    problems = check(hand)
    where: dict[Tile, list[int]] = defaultdict(list)
    for position, seen in enumerate(tiles):
        if position not in outside:
            where[seen.tile].append(position)
    hidden = [kong.meld.tile for kong in kongs]
    many = [
        tile for tile, places in where.items() if len(places) + 2 * hidden.count(tile) > 4 and tile.index < 34
    ]
    twice = [tile for tile, places in where.items() if len(places) > 1 and tile.is_bonus]
    located = {HandProblem.FIVE_OF_A_TILE: many, HandProblem.DUPLICATE_BONUS: twice}
    doubts: list[Doubt] = []
    for problem in HandProblem:
        if not problem & problems:
            continue
        positions = sorted(position for tile in located.get(problem, ()) for position in where[tile])
        doubts.extend(
            Doubt(entry["code"], entry["detail"], tuple(positions)) for entry in problems_of(problem, hand)
        )
    return doubts
