"""What mahjong is: tiles, hands, patterns, rule sets and scores. Pure Python, no input or output, no
clock."""

from scorer.engine import score, settle
from scorer.errors import BadContext, BadOption, NotationError, ScorerError, UnknownRuleSet
from scorer.fan import Breakdown, Dropped, Fan, FanLine, Option, Range, Tie
from scorer.hand import Context, Hand, HandProblem, Win, check, problems_of
from scorer.melds import BadMeld, Meld, MeldKind
from scorer.ruleset import RuleSet
from scorer.rulesets import RULESETS
from scorer.settlement import NoSettlement, Payment, Seats, Settlement
from scorer.tiles import Tile

__all__ = [
    "RULESETS",
    "BadContext",
    "BadMeld",
    "BadOption",
    "Breakdown",
    "Context",
    "Dropped",
    "Fan",
    "FanLine",
    "Hand",
    "HandProblem",
    "Meld",
    "MeldKind",
    "NoSettlement",
    "NotationError",
    "Option",
    "Payment",
    "Range",
    "RuleSet",
    "ScorerError",
    "Seats",
    "Settlement",
    "Tie",
    "Tile",
    "UnknownRuleSet",
    "Win",
    "check",
    "problems_of",
    "score",
    "settle",
]
