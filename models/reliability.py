"""Whether probabilities mean what they say, and whether mistakes are doubted."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
EQUAL = np.linspace(0, 1, 16)  # the customary 15 bins of the expected calibration error


@dataclass
class Reliability:
    """The confidence of every tile that was found, whether its name was right, and the doubts of photos.

    `misnamed` counts photos in which a found tile has a wrong name, `doubted` those of them in which every
    such tile carries a doubt.
    """

    confidences: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    misnamed: int = 0
    doubted: int = 0

    def add(self, seen: Iterable[tuple[float, bool, bool]]) -> None:
        """One photo: confidence, right, doubted of each of its tiles."""
        rows = list(seen)
        self.confidences += [confidence for confidence, _, _ in rows]
        self.right += [right for _, right, _ in rows]
        wrong = [doubted for _, right, doubted in rows if not right]
        self.misnamed += bool(wrong)
        self.doubted += bool(wrong) and all(wrong)

    def table(self, edges: Iterable[float] = EDGES) -> list[tuple[float, float, int, float, float]]:
        """From, to, tiles, their mean confidence, the share named right; empty rows are left out."""
        confidences, right = np.array(self.confidences), np.array(self.right, float)
        steps = list(edges)
        rows = []
        for low, high in itertools.pairwise(steps):
            within = (confidences > low) & (confidences <= high)
            if within.any():
                rows.append(
                    (
                        float(low),
                        float(high),
                        int(within.sum()),
                        float(confidences[within].mean()),
                        float(right[within].mean()),
                    )
                )
        return rows

    @property
    def error(self) -> float:
        """Expected calibration error over 15 equal bins (Naeini et al., 2015)."""
        rows = self.table(EQUAL.tolist())
        return sum(n * abs(mean - share) for _, _, n, mean, share in rows) / max(len(self.right), 1)
