"""What mahjong is: tiles, hands, patterns, rule sets and scores. Pure Python, no input or output, no
clock."""

# Not on demand: the function has its module's name, and whoever imported the module first would find that
# here instead.
from scorer.audit import audit
from scorer.audit_lines import AuditLine
from scorer.audit_records import Audit, Claim, Stands, Verdict
from scorer.claims import settle_at_once, settle_claims
from scorer.engine import score, settle
from scorer.errors import BadClaim, BadContext, BadOption, NotationError, ScorerError, UnknownRuleSet
from scorer.fan import Breakdown, Dropped, Fan, FanLine, Option, Range, Tie
from scorer.game import BadGame, DrawnHand, Game, Outcome, Rotation, Standing
from scorer.hand import Context, Hand, HandProblem, Win, check, problems_of
from scorer.melds import BadMeld, Meld, MeldKind
from scorer.ruleset import RuleSet
from scorer.rulesets import RULESETS
from scorer.rulesets.singapore_payments import instant_payments, settle_declared
from scorer.settlement import NoSettlement, Payment, Seats, Settlement
from scorer.tiles import Tile

__all__ = [
    "RULESETS",
    "Audit",
    "AuditLine",
    "BadClaim",
    "BadContext",
    "BadGame",
    "BadMeld",
    "BadOption",
    "Breakdown",
    "Claim",
    "Context",
    "DrawnHand",
    "Dropped",
    "Fan",
    "FanLine",
    "Game",
    "Hand",
    "HandProblem",
    "Meld",
    "MeldKind",
    "NoSettlement",
    "NotationError",
    "Option",
    "Outcome",
    "Payment",
    "Range",
    "Rotation",
    "RuleSet",
    "ScorerError",
    "Seats",
    "Settlement",
    "Standing",
    "Stands",
    "Tie",
    "Tile",
    "UnknownRuleSet",
    "Verdict",
    "Win",
    "audit",
    "check",
    "instant_payments",
    "problems_of",
    "score",
    "settle",
    "settle_at_once",
    "settle_claims",
    "settle_declared",
]
