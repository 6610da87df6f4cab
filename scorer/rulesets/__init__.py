"""The rule sets, by id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scorer.ruleset import RuleSet
from scorer.rulesets.hk import HONG_KONG
from scorer.rulesets.mcr import CHINESE_OFFICIAL
from scorer.rulesets.singapore import SINGAPORE
from scorer.rulesets.tvb import TVB

__all__ = ["RULESETS"]

RULESETS: Mapping[str, RuleSet] = MappingProxyType(
    {rules.id: rules for rules in (HONG_KONG, CHINESE_OFFICIAL, SINGAPORE, TVB)}
)
