"""The scorer's own errors: one small tree, each with a stable code that callers may switch on."""

from __future__ import annotations

__all__ = ["BadClaim", "BadContext", "BadOption", "NotationError", "ScorerError", "UnknownRuleSet"]


class ScorerError(Exception):
    """Something that was asked of the scorer makes no sense; `code` is stable, `detail` is for people."""

    code = "scorer_error"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class NotationError(ScorerError):
    """A text is not tile notation. `position` is the offset of the offending place in `text`."""

    code = "bad_notation"

    def __init__(self, detail: str, text: str, position: int) -> None:
        super().__init__(f"{detail} (at position {position} of {text!r})")
        self.text = text
        self.position = position


class BadContext(ScorerError):
    """The circumstances of a win are not what they can be; `field` names the one that is wrong."""

    code = "bad_context"

    def __init__(self, detail: str, field: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field


class UnknownRuleSet(ScorerError):
    """No rule set has this name."""

    code = "unknown_ruleset"


class BadOption(ScorerError):
    """A house rule that the rule set does not have, or a value that it does not take."""

    code = "bad_option"

    def __init__(self, detail: str, option: str) -> None:
        super().__init__(f"{option}: {detail}")
        self.option = option


class BadClaim(ScorerError):
    """What is claimed for a hand cannot be understood; `field` names the part that is wrong."""

    code = "bad_claim"

    def __init__(self, detail: str, field: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
