"""What was seen in a photo: the tiles, the hand that they make, and every reason to look again.

A reading says what was seen and repairs nothing. Where a tile is unsure, or the hand cannot be one, a
doubt says so and points at the tiles; the hand is still the one that was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer import Hand
from scorer.tiles import ALL_TILES, Tile
from vision.detector import Detections
from vision.doubts import Doubt, doubts_of
from vision.errors import NoTiles
from vision.facts import Fact, facts_of
from vision.joint import Candidate, Evidence, most_probable, suggest
from vision.layout import Layout, arrange, degrees_of
from vision.quality import Flaw
from vision.roles import Overrides, assemble, overridden
from vision.sets import SeenSet
from vision.structure import structures
from vision.ways import Structure

__all__ = ["Doubt", "Reading", "SeenTile", "read_detections"]

_MENTION = 0.005
_ALTERNATIVES = 3

_HALF_SURE, _STEEP, _USUAL = 0.38, 0.045, 0.7
"""Certainty of a box close to the hand at which there is a tile as likely as not; over how much that turns to
sureness; and what the better boxes of a clear photo have at least."""

_BESIDE = 2.6
"""How far from a tile of the hand, in widths, a tile that lies face down is worth a word."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile as it was seen.

    `box` x0, y0, x1, y1 in pixels of the upright photo; `confidence` the probability 0..1 of its name;
    `alternatives` the next likely names, best first; `row` from 0; `up` the angle of its face, degrees
    clockwise from the photo's top, None if unsure; `found` 0..1 how sure it is that a tile lies there;
    `role` what it is taken for: standing, winning, bonus, set or outside, and `role_confidence` 0..1 the
    share of all ways to read how tiles lie in which it is that.
    """

    tile: Tile
    box: tuple[float, float, float, float]
    confidence: float
    alternatives: tuple[tuple[Tile, float], ...]
    row: int
    up: float | None = None
    found: float = 1.0
    role: str = "standing"
    role_confidence: float = 1.0

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
            "role": self.role,
            "role_confidence": round(self.role_confidence, 4),
            "up": None if self.up is None else round(self.up, 1),
            "found": round(self.found, 4),
        }


@dataclass(frozen=True, slots=True)
class _Source:
    """What a reading was made of, so that it can be made again with what a person knows better."""

    detections: Detections
    layout: Layout


@dataclass(frozen=True, slots=True)
class Reading:
    """A photo, read. `tiles` in reading order, `rows` their positions row by row, `hand` what they make,
    `angle` in degrees clockwise of the direction in which the faces stand upright, `model` what named
    them.

    `sets` on the table; `winning` the position of the winning tile where it lies apart or turned;
    `likely` the most probable hands with all tiles weighed together, of which the first need not be `hand`;
    `facts` what of the win's circumstances the photo shows, and what it cannot show;
    `quality` what is wrong with the photo.
    """

    width: int
    height: int
    tiles: tuple[SeenTile, ...]
    rows: tuple[tuple[int, ...], ...]
    hand: Hand
    doubts: tuple[Doubt, ...]
    angle: float = 0.0
    model: Mapping[str, str] = field(default_factory=dict)
    photo: str | None = None
    sets: tuple[SeenSet, ...] = ()
    winning: int | None = None
    likely: tuple[Candidate, ...] = ()
    facts: tuple[Fact, ...] = ()
    quality: tuple[Flaw, ...] = ()
    evidence: Evidence | None = field(default=None, repr=False, compare=False)
    source: _Source | None = field(default=None, repr=False, compare=False)

    def suggestions(self, wins: Callable[[Hand], bool], most: int = 3) -> tuple[Candidate, ...]:
        """The most probable hands given that the hand is claimed to win, each marked as that. `wins` says
        whether a hand does."""
        return () if self.evidence is None else suggest(self.evidence, wins, most)

    def revised(self, overrides: Overrides) -> Reading:
        """The same photo read again with what a person knows better; positions stay what they were. Raises
        `ValueError` if that does not fit the reading."""
        if self.source is None:
            raise ValueError("this reading does not hold what it was made of")
        overrides.require_fit(len(self.tiles))
        read = _interpret(self.source, self.width, self.height, self.model, self.photo, overrides)
        return replace(read, quality=self.quality)

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
            "angle": round(self.angle, 1),
            "sets": [seen.to_dict() for seen in self.sets],
            "winning": self.winning,
            "facts": [fact.to_dict() for fact in self.facts],
            "readings": [candidate.to_dict() for candidate in self.likely],
            "quality": [flaw.to_dict() for flaw in self.quality],
        }


def read_detections(
    detections: Detections,
    width: int,
    height: int,
    model: Mapping[str, str] | None = None,
    photo: str | None = None,
    overrides: Overrides | None = None,
) -> Reading:
    """The reading of what a detector found in a photo of `width` x `height` pixels. Raises `NoTiles` if it
    found nothing, `ValueError` if `overrides` do not fit."""
    if not len(detections):
        raise NoTiles("no tile was found in the photo")
    found = _being(detections.scores, detections.probabilities)
    ways = structures(
        detections.boxes, detections.probabilities, detections.up, detections.corners, found=found
    )
    direction = ways[0].direction if ways[0].sure else None
    source = _Source(detections, arrange(detections.boxes, detections.up, direction))
    if overrides is None:
        return _interpret(source, width, height, dict(model or {}), photo, Overrides(), ways)
    overrides.require_fit(len(detections))
    return _interpret(source, width, height, dict(model or {}), photo, overrides)


def _interpret(
    source: _Source,
    width: int,
    height: int,
    model: Mapping[str, str],
    photo: str | None,
    overrides: Overrides,
    known: tuple[Structure, ...] | None = None,
) -> Reading:
    found, layout = source.detections, source.layout
    order = [place.index for place in layout.places]
    probabilities = _named(found.probabilities, order, overrides)
    being = _being(found.scores, probabilities)
    ways = known
    if ways is None:
        direction = None if overrides.angle is None else float(np.radians(overrides.angle))
        ways = structures(found.boxes, probabilities, found.up, found.corners, direction, being)
    number = np.argsort(order).tolist()
    names = [ALL_TILES[int(best)] for best in probabilities[order].argmax(axis=1)]
    placed = tuple(overridden(way.numbered(number), overrides, names) for way in ways)
    if overrides.roles or overrides.sets:
        placed = placed[:1]
    evidence = Evidence(probabilities[order], being[order], placed)
    way = placed[0]
    hand, sets = assemble(way, names)
    sets = tuple(_confident(seen, placed) for seen in sets)
    tiles = tuple(
        replace(
            _seen(found, probabilities, place.index, place.row, (width, height), way.role(position)),
            role_confidence=min(
                sum(w.probability for w in placed if w.role(position) == way.role(position)), 1
            ),
        )
        for position, place in enumerate(layout.places)
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
        doubts=doubts_of(evidence, names, hand, sets, _near_backs(found, layout, names, way)),
        angle=float(np.degrees(way.direction)) if way.sure else layout.angle,
        model=dict(model),
        photo=photo,
        sets=sets,
        winning=way.winning if hand.winning is not None else None,
        likely=most_probable(evidence),
        facts=facts_of(evidence, names, hand),
        evidence=evidence,
        source=source,
    )


def _named(probabilities: NDArray[np.float32], order: list[int], overrides: Overrides) -> NDArray[np.float32]:
    """Class probabilities with the tiles that a person named certain of it."""
    if not overrides.names:
        return probabilities
    told = probabilities.copy()
    for position, tile in overrides.names.items():
        told[order[position]] = 0
        told[order[position], tile.index] = 1
    return told


def _being(scores: NDArray[np.float32], probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """How probable it is that there is a tile, given the certainty of its box, and whether it looks like any
    one tile: what is none looks a little like all of them."""
    usual = np.clip(
        np.quantile(scores, 0.75) / _USUAL, 0.75, 1.0
    )  # in a dim photo all boxes are less certain
    boxed = np.clip(1 / (1 + np.exp((_HALF_SURE - scores / usual) / _STEEP)), 0.05, 0.999)
    named = np.clip((probabilities.max(axis=1) + 0.05) / 0.45, 0.05, 1.0)
    return np.asarray(boxed * named, np.float32)


def _confident(seen: SeenSet, ways: tuple[Structure, ...]) -> SeenSet:
    """The set with the share of all ways to read the picture in which it is one."""
    members = set(seen.members)
    share = sum(
        way.probability
        for way in ways
        if any(set(p.members) == members and p.concealed == seen.concealed for p in way.sets)
    )
    return replace(seen, confidence=min(share, 1.0))


def _near_backs(found: Detections, layout: Layout, names: list[Tile], way: Structure) -> tuple[int, ...]:
    """Tiles that lie face down close to the hand and are in no set of it."""
    backs = [k for k in way.outside if names[k].is_back]
    hand = [k for k in range(len(names)) if way.role(k) != "outside"]
    if not backs or not hand:
        return ()
    boxes = found.boxes[[place.index for place in layout.places]].astype(np.float64)
    rows = np.array([place.row for place in layout.places])
    centres, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]).min(axis=1)
    near: list[int] = []
    reached = hand
    for reach in (_BESIDE, 2.1, 2.1, 2.1):  # from the hand, and then from one tile of a row to the next
        left = [k for k in way.outside if k not in near]
        steps = np.linalg.norm(centres[left][:, None] - centres[reached][None], axis=2) / sizes[reached]
        close = (steps <= reach) & ((rows[left][:, None] == rows[reached][None]) | (reached is hand))
        reached = [k for k, is_close in zip(left, close.any(axis=1), strict=True) if is_close]
        near += reached
        if not reached or len(near) == len(way.outside):
            break
    return tuple(sorted(set(near).intersection(backs)))


def _seen(
    found: Detections,
    probabilities: NDArray[np.float32],
    index: int,
    row: int,
    size: tuple[int, int],
    role: str,
) -> SeenTile:
    chances = probabilities[index]
    order = np.argsort(-chances, kind="stable")
    best = int(order[0])
    others = [int(i) for i in order[1 : 1 + _ALTERNATIVES] if chances[i] >= _MENTION]
    up = found.up[index]
    x0, y0, x1, y1 = (float(side) for side in found.boxes[index])
    return SeenTile(
        tile=ALL_TILES[best],
        box=(max(x0, 0.0), max(y0, 0.0), min(x1, float(size[0])), min(y1, float(size[1]))),
        confidence=min(float(chances[best]), 1.0),
        alternatives=tuple((ALL_TILES[i], float(chances[i])) for i in others),
        row=row,
        up=degrees_of(up) if float(np.hypot(up[0], up[1])) >= 0.3 else None,
        found=min(float(found.scores[index]), 1.0),
        role=role,
    )
