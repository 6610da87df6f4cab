"""Where a rule stands: its edition and its article, for whoever must be shown it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scorer.fan import Fan, OptionValue
from scorer.ruleset import RuleSet

__all__ = ["Citation", "Point", "cite", "cite_fan"]

_TAG = re.compile(r"\s*\((\w+)\)$")


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule: the edition that holds it, the article in it, and what it says, if that is not plain."""

    edition: str
    article: str
    says: str = ""

    def to_dict(self) -> dict[str, str]:
        """As plain data."""
        return {"edition": self.edition, "article": self.article, "says": self.says}


class Point:
    """The rules that are no fan's."""

    SHAPE = "winning_shape"
    TILES = "number_of_tiles"
    MINIMUM = "minimum"
    MOST = "most_paid"
    SUM = "counting"
    ONE_READING = "one_reading"
    HOUSE = "house_rule"


_CHINESE = "Competition rules of Chinese mahjong, State Sports Commission, 1998"
_MIL = "Supplementary rules of the Mahjong International League, 2025, annex 1"
_WMO = "Mahjong Competition Rules, World Mahjong Organization, 2006"
_TVB = "TVB Mahjong Brain Fitness Championship 2026, Mahjong Rules"
_TVB_USA = "TVB Mahjong Brain Fitness Championship 2026, the Chinese text of the United States station"
_GUIDE = "Guide to Hong Kong mahjong (rules of play)"
_PLAY = "singaporemahjong.com, playing the game"

#: By rule set and point: edition (empty: the one of the options), article.
_POINTS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "mcr": {
        Point.SHAPE: (
            "",
            "winning forms: four sets and a pair, seven pairs, thirteen orphans, knitted tiles",
        ),
        Point.TILES: ("", "a winning hand is fourteen tiles, one more for each kong"),
        Point.MINIMUM: ("", "eight points to win, flowers not counted"),
        Point.MOST: ("", "house rule cap"),
        Point.SUM: ("", "the points of a hand are the sum of its fans"),
        Point.ONE_READING: (
            "",
            "principles of scoring: non-separation, fans count on one reading of the sets",
        ),
    },
    "tvb": {
        Point.SHAPE: ("", "B3d-f and B6: four sets and a pair, or thirteen orphans; else a false win"),
        Point.TILES: ("", "B6: too many or too few tiles cannot win"),
        Point.MINIMUM: ("", "B5b: at least 1 fan"),
        Point.MOST: ("", "B5b: at most 10 fan"),
        Point.SUM: ("", "B5a: the referee calculates the score; appendix 1"),
        Point.ONE_READING: ("", "appendix 3: the patterns of one arrangement of the tiles"),
    },
    "hk": {
        Point.SHAPE: (_GUIDE, "Winning Hand Structures"),
        Point.TILES: (_GUIDE, "What Invalidates a Hand?"),
        Point.MINIMUM: (_GUIDE, "minimum faan; house rule min_faan"),
        Point.MOST: (_GUIDE, "limit hands; house rule cap"),
        Point.SUM: (_GUIDE, "Scoring Principles: faan are added up"),
        Point.ONE_READING: (_GUIDE, "Winning Hand Structures: four sets and one pair, read in one way"),
    },
    "singapore": {
        Point.SHAPE: (_PLAY, "Hu: four sets of three and a pair, or a special hand"),
        Point.TILES: (_PLAY, "Hu: a complete hand; too few or too many tiles cannot win"),
        Point.MINIMUM: (_PLAY, "Hu: at least the minimum number of doubles; house rule min_tai"),
        Point.MOST: (_PLAY, "the limit; house rule limit"),
        Point.SUM: (_PLAY, "end of a hand: doubles over-declared are announced by the others"),
        Point.ONE_READING: (_PLAY, "Hu: four sets of three and a pair, read in one way"),
    },
}


def _edition(rules: RuleSet, options: Mapping[str, OptionValue]) -> str:
    if rules.id == "mcr":
        return _WMO if options.get("profile") == "ema" else _CHINESE
    if rules.id == "tvb":
        return _TVB_USA if options.get("profile") == "usa" else _TVB
    return "; ".join(rules.sources)


def cite(rules: RuleSet, options: Mapping[str, OptionValue], point: str, says: str = "") -> Citation:
    """The article of a rule that is no fan's; for a house rule, which has none, `says` stands for it."""
    if point == Point.HOUSE:
        return Citation(f"house rules of this table ({rules.id})", says, "")
    edition, article = _POINTS[rules.id][point]
    return Citation(edition or _edition(rules, options), article, says)


def cite_fan(rules: RuleSet, options: Mapping[str, OptionValue], fan: Fan, says: str = "") -> Citation:
    """The article that a fan's record cites; `says` what of it matters, such as an exclusion."""
    if rules.id == "mcr":
        edition = _edition(rules, options)
        if "MIL" in f"{fan.source} {says}" and options.get("profile") != "ema":
            edition = f"{edition}; {_MIL} (MIL)"
        number = f"fan {fan.number}" if fan.number is not None else "supplementary fan"
        return Citation(edition, f"{number} {fan.name.zh} ({fan.source})", says)
    if rules.id == "tvb":
        # The record names the text in full; the appendices came with the Chinese one.
        article = fan.source.partition(", ")[2]
        return Citation(_edition(rules, options), article, says)
    tags = re.split(r",\s*|:", fan.source.partition(":")[0])
    named = {tag[1]: _TAG.sub("", source) for source in rules.sources if (tag := _TAG.search(source))}
    editions = [named[tag.strip()] for tag in tags if tag.strip() in named]
    return Citation("; ".join(editions) or _edition(rules, options), f"{fan.name.zh} ({fan.source})", says)
