"""The most probable hands, all tiles taken together.

A tile by itself is called what it looks most like. A hand cannot be anything, though: it holds at most four
of a tile and one of each flower, a set on the table is a set, and with what is not of the hand left out there
are fourteen tiles and one more for each kong. So the ways in which tiles may lie and the names that they may
have are weighed together, the most probable first, each with its share of all that is possible.

Whether a hand wins is not asked here: `suggest` does, where somebody claims that it does, and what comes of
it is a suggestion and never a reading.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.hand import Hand
from scorer.melds import MeldKind
from scorer.tiles import ALL_TILES, KINDS, Tile
from vision.detector import BACK
from vision.roles import assemble
from vision.sets import CHOW_ORDERS, Piece
from vision.ways import Structure, fits

__all__ = ["Candidate", "Change", "Evidence", "most_probable", "suggest"]

_WHOLE, _SHORT = 0.97, 0.6
"""Probability that every tile of the hand was found, where as many were found as a hand has, and where
not."""

_STEPS = 100
"""How many combinations of names are tried for each way in which tiles may lie."""

_LEAST = 1e-3
"""Probability under which a name is not tried; looking for a win, a tenth of it."""

_NOTHING = -1
"""In place of a name: there is no tile of the hand, or its back is up."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was seen, in reading order: class probabilities (n, 47), how sure it is that each is a tile
    (n,), and the ways to read how they lie."""

    probabilities: NDArray[np.float32]
    found: NDArray[np.float32]
    ways: tuple[Structure, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What is otherwise than it was seen: a tile's position, what it was called or taken for, and what
    instead."""

    tile: int
    seen: str
    instead: str

    def to_dict(self) -> dict[str, object]:
        """As in the answer's `readings`."""
        return {"tile": self.tile, "seen": self.seen, "instead": self.instead}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hand that the picture may show. `probability` 0..1; `changes` against what was seen, none if it is
    just that. `given_win` marks a suggestion: its probability holds only if the hand wins, and `support` is
    the probability that the picture by itself gives to there being any winning hand."""

    hand: Hand
    probability: float
    changes: tuple[Change, ...] = ()
    given_win: bool = False
    support: float | None = None

    def to_dict(self) -> dict[str, object]:
        """As in the answer's `readings` and `suggestions`."""
        told: dict[str, object] = {
            "hand": str(self.hand),
            "probability": round(self.probability, 4),
            "changes": [change.to_dict() for change in self.changes],
        }
        if self.given_win:
            told["given"] = "the hand wins"
            told["support"] = None if self.support is None else round(self.support, 4)
        return told


_Key = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], int]
"""A hand in numbers: its single tiles but for the winning one, sorted; its sets, sorted, a concealed kong's
with -1 behind them; and the winning tile or -1."""


@dataclass(frozen=True, slots=True)
class _Option:
    """What a set or a single tile may be: `log` its probability, `tiles` it adds to the hand, `names` by
    position."""

    log: float
    tiles: tuple[int, ...]
    names: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Factor:
    """One set or single tile: what it may be, best first. `role` set, concealed, winning or single;
    `counts` whether it counts among the fourteen."""

    role: str
    counts: bool
    options: tuple[_Option, ...]


@dataclass(slots=True)
class _Found:
    """What was found so far: the weight of each hand, and where most of it comes from."""

    weights: dict[_Key, float] = field(default_factory=dict)
    best: dict[_Key, tuple[float, Structure, tuple[tuple[int, int], ...]]] = field(default_factory=dict)

    def add(self, key: _Key, weight: float, way: Structure, names: tuple[tuple[int, int], ...]) -> None:
        self.weights[key] = self.weights.get(key, 0.0) + weight
        if key not in self.best or self.best[key][0] < weight:
            self.best[key] = weight, way, names


def most_probable(evidence: Evidence, most: int = 5) -> tuple[Candidate, ...]:
    """The most probable hands under what is physically possible, best first. Their probabilities add up to
    less than 1: something may have been overlooked that no name can mend."""
    found, total = _explored(evidence, _LEAST, _STEPS, None)
    if not total:
        return ()
    told = []
    for key, weight in heapq.nlargest(most, found.weights.items(), key=lambda entry: entry[1]):
        hand, changes = _told(evidence, *found.best[key][1:])
        whole = _WHOLE if len(hand.standing) + 3 * len(hand.melds) == 14 else _SHORT
        told.append(Candidate(hand, weight / total * whole, changes))
    return tuple(candidate for candidate in told if candidate.probability >= 0.001)


def suggest(evidence: Evidence, wins: Callable[[Hand], bool], most: int = 3) -> tuple[Candidate, ...]:
    """The most probable hands among those that win, best first; empty where none is likely enough to be
    thought of. `wins` says whether a hand does."""
    found, total = _explored(evidence, _LEAST / 10, 4 * _STEPS, wins)
    winning = sum(found.weights.values())
    return tuple(
        Candidate(
            *_both(_told(evidence, *found.best[key][1:]), weight / winning), True, min(winning / total, 1)
        )
        for key, weight in heapq.nlargest(most, found.weights.items(), key=lambda entry: entry[1])
    )


def _both(told: tuple[Hand, tuple[Change, ...]], share: float) -> tuple[Hand, float, tuple[Change, ...]]:
    return told[0], share, told[1]


def _explored(
    evidence: Evidence, least: float, steps: int, wins: Callable[[Hand], bool] | None
) -> tuple[_Found, float]:
    """Hands with their weights, and the weight of everything that is possible."""
    found, total = _Found(), 0.0
    top = max((way.geometry for way in evidence.ways), default=0.0)
    judged: dict[_Key, bool] = {}
    for number, way in enumerate(evidence.ways):
        if number and way.probability < 0.01:
            continue
        scale = math.exp(way.geometry - top)
        factors = _factors(evidence, way, least)
        space = math.prod(min(sum(math.exp(o.log) for o in factor.options), 1.0) for factor in factors)
        patience = steps if way.probability >= 0.1 else steps // 4
        standing, sets, tried = len(way.standing) + (way.winning is not None), len(way.sets), 0.0
        for count, (log, options) in enumerate(_best_first(factors)):
            weight = math.exp(log)
            if count >= patience or weight < 1e-5:
                break
            tried += weight
            key, dropped = _key(factors, options)
            if key is None:
                space -= weight
                continue
            worth = weight
            if dropped:
                better = fits(standing - dropped, sets, False) - fits(standing, sets, False)
                worth *= math.exp(min(better, 6.0))
                space += worth - weight
            names = tuple(pair for option in options for pair in option.names)
            if wins is not None and key not in judged:
                judged[key] = wins(_told(evidence, way, names)[0])
            if wins is None or judged[key]:
                found.add(key, worth * scale, way, names)
            if tried >= 0.998:
                break
        total += max(space, 0.0) * scale
    return found, max(total, sum(found.weights.values()))


def _key(factors: list[_Factor], options: list[_Option]) -> tuple[_Key | None, int]:
    """The hand in numbers, None if a set of tiles does not hold it, and how many of the fourteen were
    taken for bonus tiles or for none."""
    singles: list[int] = []
    sets: list[tuple[int, ...]] = []
    winning, dropped = -1, 0
    held = [0] * 47
    for factor, option in zip(factors, options, strict=True):
        for tile in option.tiles:
            held[tile] += 1
        if factor.role == "set":
            sets.append(option.tiles)
        elif factor.role == "concealed":
            sets.append((*option.tiles, -1))
        elif not option.tiles:
            dropped += factor.counts
        elif factor.role == "winning" and option.tiles[0] < KINDS:
            winning = option.tiles[0]
        else:
            singles.append(option.tiles[0])
            dropped += factor.counts and option.tiles[0] >= KINDS
    if max(held[:KINDS]) > 4 or max(held[KINDS:BACK]) > 1:
        return None, dropped
    return (tuple(sorted(singles)), tuple(sorted(sets)), winning), dropped


def _told(
    evidence: Evidence, way: Structure, names: tuple[tuple[int, int], ...]
) -> tuple[Hand, tuple[Change, ...]]:
    """The hand of these names where tiles lie so, and what is otherwise than it was seen."""
    called = [ALL_TILES[int(best)] for best in evidence.probabilities.argmax(axis=1)]
    for position, name in names:
        called[position] = ALL_TILES[BACK] if name == _NOTHING else ALL_TILES[name]
    return assemble(way, called)[0], _changes(_seen(evidence), way, called)


def _factors(evidence: Evidence, way: Structure, least: float) -> list[_Factor]:
    """What each set and each single tile may be."""
    chances = evidence.probabilities.astype(np.float64)
    factors = [
        _Factor("concealed" if piece.concealed else "set", True, _set_options(chances, piece))
        for piece in way.sets
        if piece.names
    ]
    won = () if way.winning is None else (way.winning,)
    for tile in (*way.standing, *way.bonus, *won):
        is_tile = float(evidence.found[tile])
        row = chances[tile]
        order = np.argsort(-row)[:6].tolist()
        options = [
            _Option(math.log(row[k] * is_tile), (k,), ((tile, k),))
            for k in order
            if row[k] >= least and k != BACK
        ]
        nothing = 1 - is_tile + is_tile * float(row[BACK])
        if nothing > 0.02:
            options.append(_Option(math.log(nothing), (), ((tile, _NOTHING),)))
        options.sort(key=lambda option: -option.log)
        role = "winning" if tile in won else "single"
        factors.append(_Factor(role, tile not in way.bonus, tuple(options)))
    return factors


def _set_options(chances: NDArray[np.float64], piece: Piece) -> tuple[_Option, ...]:
    """The sets that the tiles of one may be."""
    members = [m for m in piece.members if m not in piece.down]
    down = float(np.log(np.maximum(chances[list(piece.down), BACK], 1e-6)).sum())
    hidden = tuple((m, _NOTHING) for m in piece.down)
    logs = np.log(np.maximum(chances[members], 1e-6))
    same = logs[:, :KINDS].sum(axis=0)
    size = len(piece.members)
    options = [
        _Option(float(same[k]) + down, (k,) * size, (*((m, k) for m in members), *hidden))
        for k in np.argsort(-same)[:4].tolist()
    ]
    if piece.kind is not MeldKind.KONG:
        runs = logs[0][CHOW_ORDERS[..., 0]] + logs[1][CHOW_ORDERS[..., 1]] + logs[2][CHOW_ORDERS[..., 2]]
        for flat in np.argsort(-runs, axis=None)[:4]:
            columns = CHOW_ORDERS[np.unravel_index(int(flat), runs.shape)].tolist()
            names = tuple(zip(members, columns, strict=True))
            options.append(_Option(float(runs.flat[flat]), tuple(sorted(columns)), names))
    options.sort(key=lambda option: -option.log)
    return tuple(option for option in options if option.log > options[0].log - 9)


def _best_first(factors: list[_Factor]) -> Iterator[tuple[float, list[_Option]]]:
    """One option of each factor, in the order of their sums: each combination once."""
    best = [factor.options[0] for factor in factors]
    loose = [k for k, factor in enumerate(factors) if len(factor.options) > 1]
    loose.sort(key=lambda k: factors[k].options[0].log - factors[k].options[1].log)
    heap: list[tuple[float, tuple[tuple[int, int], ...]]] = [(-sum(option.log for option in best), ())]
    while heap:
        cost, taken = heapq.heappop(heap)
        chosen = best.copy()
        for at, option in taken:
            chosen[loose[at]] = factors[loose[at]].options[option]
        yield -cost, chosen
        last = -1
        if taken:
            last, option = taken[-1]
            options = factors[loose[last]].options
            if option + 1 < len(options):
                step = options[option].log - options[option + 1].log
                heapq.heappush(heap, (cost + step, (*taken[:-1], (last, option + 1))))
        for at in range(last + 1, len(loose)):
            options = factors[loose[at]].options
            heapq.heappush(heap, (cost + options[0].log - options[1].log, (*taken, (at, 1))))


def _seen(evidence: Evidence) -> list[tuple[str, str]]:
    """Name and role of every tile as it was seen."""
    best = evidence.probabilities.argmax(axis=1)
    way = evidence.ways[0]
    return [(str(ALL_TILES[int(name)]), way.role(k)) for k, name in enumerate(best)]


def _changes(seen: list[tuple[str, str]], way: Structure, names: list[Tile]) -> tuple[Change, ...]:
    changes: list[Change] = []
    for position, (name, role) in enumerate(seen):
        now = way.role(position)
        if now == "outside" == role:
            continue
        if now != role:
            changes.append(Change(position, role, now))
        elif str(names[position]) != name:
            instead = "outside" if names[position].is_back else str(names[position])
            changes.append(Change(position, name, instead))
    return tuple(changes)
