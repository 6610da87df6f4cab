"""What of the circumstances of a win a photo shows, and what no photo can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.hand import Hand
from scorer.tiles import Tile
from vision.joint import Evidence

__all__ = ["Fact", "facts_of"]

_READ = 0.9
"""Probability of a name from which a tile that lies open counts as seen."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One circumstance. `seen` False: the photo cannot or does not show it, and the score is a range until
    somebody says. `value` what was seen, with its `confidence` 0..1 and the positions of the tiles that show
    it."""

    fact: str
    seen: bool
    detail: str
    value: str | None = None
    confidence: float | None = None
    tiles: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """As in the answer's `facts`."""
        return {
            "fact": self.fact,
            "seen": self.seen,
            "value": self.value,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
            "detail": self.detail,
            "tiles": list(self.tiles),
        }


def facts_of(evidence: Evidence, names: Sequence[Tile], hand: Hand) -> tuple[Fact, ...]:
    """The winning tile and its last copies where they are seen; how it was won and the winds, which never
    are."""
    way = evidence.ways[0]
    facts = [
        Fact("win", False, "whether the tile was drawn or discarded is never seen in a photo"),
        Fact("seat", False, "the seat wind is not seen in a photo"),
        Fact("round", False, "the round wind is not seen in a photo"),
    ]
    if way.winning is None or hand.winning is None:
        return (Fact("winning_tile", False, "no tile lies apart or turned"), *facts)
    won, position = hand.winning, way.winning
    chance = sum(other.probability for other in evidence.ways if other.winning == position)
    why = " and ".join(part.replace("turned_tile", "turned") for part in way.winning_evidence)
    facts.insert(0, Fact("winning_tile", True, f"lies {why}", str(won), min(chance, 1.0), (position,)))
    claimed = {member for piece in way.sets if not piece.concealed for member in piece.members}
    open_copies = tuple(
        k
        for k, name in enumerate(names)
        if name == won
        and evidence.probabilities[k, won.index] >= _READ
        and (k in claimed or way.role(k) == "outside")
    )
    if len(open_copies) == 3:
        detail = f"the other three {won} lie open: it may have been the last of its kind"
        facts.append(Fact("last_of_its_kind", True, detail, "true", None, open_copies))
    return tuple(facts)
