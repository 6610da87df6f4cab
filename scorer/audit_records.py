"""What a claim is, and what an audit of it says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from scorer.audit_lines import AuditLine
from scorer.claim_text import ClaimedFan, read_claim
from scorer.distance import Distance
from scorer.errors import BadClaim
from scorer.fan import Name, OptionValue
from scorer.hand import Context, Hand
from scorer.ruleset import RuleSet

__all__ = ["VERDICT_NAMES", "Audit", "Claim", "Stands", "Verdict"]

#: No hand is worth more under any table.
_MOST_TOTAL = 100_000


class Verdict(Enum):
    """What is to be said to a claim."""

    VALID = "valid"
    OVER_CLAIMED = "over_claimed"
    UNDER_CLAIMED = "under_claimed"
    BELOW_MINIMUM = "below_minimum"
    NOT_WINNING = "not_winning"
    WRONG_NUMBER_OF_TILES = "wrong_number_of_tiles"
    CANNOT_BE_DECIDED = "cannot_be_decided"


VERDICT_NAMES: Mapping[Verdict, Name] = {
    Verdict.VALID: Name("The claim is valid", "申報有效"),
    Verdict.OVER_CLAIMED: Name("Over-claimed", "多報"),
    Verdict.UNDER_CLAIMED: Name("Under-claimed", "少報"),
    Verdict.BELOW_MINIMUM: Name("Below the minimum", "不足起和"),
    Verdict.NOT_WINNING: Name("Not a winning hand", "未成和牌"),
    Verdict.WRONG_NUMBER_OF_TILES: Name("Wrong number of tiles", "相公（牌數不符）"),
    Verdict.CANNOT_BE_DECIDED: Name("Cannot be decided yet", "未能裁定"),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What the winner claims: fans, a total, or both."""

    fans: tuple[ClaimedFan, ...] = ()
    total: int | None = None

    def __post_init__(self) -> None:
        if not self.fans and self.total is None:
            raise BadClaim("names neither a total nor a fan", "claim")
        if self.total is not None and not 0 <= self.total <= _MOST_TOTAL:
            raise BadClaim(f"is a whole number from 0 to {_MOST_TOTAL}", "total")

    @classmethod
    def read(cls, fans: str | Iterable[str] | None, total: int | None, rules: RuleSet) -> Claim:
        """From what people write; see `claim_text.read_claim`. Raises BadClaim."""
        return cls(() if fans is None else read_claim(fans, rules), total)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"fans": [fan.to_dict() for fan in self.fans], "total": self.total}


@dataclass(frozen=True, slots=True)
class Stands:
    """What of a claim stands: `total` is to be paid on, `uncapped` what it adds up to, `toward_minimum` what
    the minimum is measured by."""

    total: int
    uncapped: int
    toward_minimum: int
    reaches_minimum: bool

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "total": self.total,
            "uncapped": self.uncapped,
            "toward_minimum": self.toward_minimum,
            "reaches_minimum": self.reaches_minimum,
        }


@dataclass(frozen=True, slots=True)
class Audit:
    """The whole answer to a claim.

    `sets` is the reading of the hand that the lines speak of, `distance` how far from winning a hand is that
    does not, `depends` the unknown circumstances that decide (where the verdict stands without them: that
    decide how much is left), `possible` the verdicts that there may be.
    """

    verdict: Verdict
    rules: str
    options: Mapping[str, OptionValue]
    hand: Hand
    context: Context
    claim: Claim
    minimum: int
    stands: Stands
    lines: tuple[AuditLine, ...]
    sets: tuple[str, ...] = ()
    distance: Distance | None = None
    depends: tuple[str, ...] = ()
    possible: tuple[Verdict, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "verdict": self.verdict.value,
            "says": VERDICT_NAMES[self.verdict].to_dict(),
            "rules": self.rules,
            "options": dict(self.options),
            "hand": str(self.hand),
            "context": self.context.to_dict(),
            "claim": self.claim.to_dict(),
            "minimum": self.minimum,
            "stands": self.stands.to_dict(),
            "lines": [line.to_dict() for line in self.lines],
            "sets": list(self.sets),
            "distance": None if self.distance is None else self.distance.to_dict(),
            "depends": list(self.depends),
            "possible": [verdict.value for verdict in self.possible],
        }
