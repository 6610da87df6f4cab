"""How people write the fans that they claim: names in English and Chinese, numbers, ids, short forms.

A claim is read against the fans that a rule set can have under any of its house rules, so that a fan that
this table does not play is understood and refused by its name, and not taken for a spelling mistake.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from scorer.errors import BadClaim
from scorer.fan import Fan
from scorer.ruleset import RuleSet
from scorer.spellings import COMMON, FOLDED, OF_RULES, WORDS

__all__ = ["MOST_FANS", "ClaimedFan", "fans_of", "read_claim"]

#: More fans than any hand can have.
MOST_FANS = 60
_LONGEST = 100
_MOST_TIMES = 16

_PARTS = re.compile(r"[,;\n\r、，；/]+|\s\+\s|(?<=[^\s])\+(?=[^\s\d])")
_TIMES = re.compile(r"\s*(?:[x×*]\s*(\d{1,2})|\((\d{1,2})\s*[x×]\))\s*$", re.IGNORECASE)
_TIMES_FIRST = re.compile(r"^\s*(\d{1,2})\s*[x×*]\s*(?=\S)", re.IGNORECASE)
_POINTS = re.compile(
    r"\s*(?:[=:：]\s*(\d{1,3})|\(\s*(\d{1,3})\s*\)|(?<=\s)(\d{1,3})|(\d{1,3}))"
    r"\s*(?:points?|pts?|faan|fan|tai|番|台|分|點|点)?\s*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^\s*(?:#|no\.?\s*|nr\.?\s*|第)?\s*(\d{1,3})\s*(?:番|號|号|项|項)?\s*$", re.IGNORECASE)
_CODE = re.compile(r"\b([ABX]\d)$")


@dataclass(frozen=True, slots=True)
class ClaimedFan:
    """A fan as it was claimed.

    `ids` are the fans that its name can mean, the likeliest first (一台花 is all flowers or all seasons);
    `text` is what was written; `points` the price of one occurrence, where the claim names one.
    """

    ids: tuple[str, ...]
    text: str
    times: int = 1
    points: int | None = None

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {"ids": list(self.ids), "text": self.text, "times": self.times, "points": self.points}


def read_claim(claim: str | Iterable[str], rules: RuleSet) -> tuple[ClaimedFan, ...]:
    """The fans of a claim: one text with commas, or one text a fan. Raises BadClaim for what is no fan.

    `All Pungs x2` and `2x All Pungs` claim it twice, `All Pungs = 6` at a price, `#48` by its number in the
    published table.

    >>> from scorer.rulesets import RULESETS
    >>> [fan.ids[0] for fan in read_claim("対対和, half flush; #80", RULESETS["mcr"])]
    ['all_pungs', 'half_flush', 'self_drawn']
    """
    texts = _PARTS.split(claim) if isinstance(claim, str) else list(claim)
    found = [_read(text, rules) for text in texts if text.strip()]
    if len(found) > MOST_FANS:
        raise BadClaim(f"{len(found)} fans are claimed; no hand has more than {MOST_FANS}", "fans")
    return tuple(found)


def _read(text: str, rules: RuleSet) -> ClaimedFan:
    if len(text) > _LONGEST:
        raise BadClaim(f"the name of a fan has at most {_LONGEST} characters", text[:40])
    names, numbers = _names(rules)
    plain = unicodedata.normalize("NFKC", text).strip()
    whole = _lookup(plain, names, numbers)
    if whole:
        return ClaimedFan(whole, text.strip())
    rest, times = _times(plain)
    found = _lookup(rest, names, numbers)
    if found:
        return ClaimedFan(found, text.strip(), times)
    price = _POINTS.search(rest)
    if price is not None and price.start() > 0:
        before, again = _times(rest[: price.start()])
        found = _lookup(before, names, numbers)
        if found:
            points = int(next(group for group in price.groups() if group is not None))
            return ClaimedFan(found, text.strip(), max(times, again), points)
    near = difflib.get_close_matches(_folded(rest), names, n=3, cutoff=0.6)
    fans = fans_of(rules)
    meant = ", ".join(dict.fromkeys(fans[names[name][0]].name.en for name in near))
    hint = f"; perhaps {meant}" if meant else ""
    raise BadClaim(f"{text.strip()!r} is no fan of {rules.id}{hint}", "fans")


def _times(text: str) -> tuple[str, int]:
    """The text without how often, and how often."""
    for pattern in (_TIMES, _TIMES_FIRST):
        match = pattern.search(text)
        if match is not None:
            times = int(next(group for group in match.groups() if group is not None))
            if not 1 <= times <= _MOST_TIMES:
                raise BadClaim(f"a fan counts 1 to {_MOST_TIMES} times, not {times}", "fans")
            return text[: match.start()] + text[match.end() :], times
    return text, 1


def _lookup(text: str, names: Mapping[str, tuple[str, ...]], numbers: Mapping[int, str]) -> tuple[str, ...]:
    number = _NUMBER.match(text)
    if number is not None:
        ident = numbers.get(int(number[1]))
        return () if ident is None else (ident,)
    return names.get(_folded(text), ())


def _folded(text: str) -> str:
    """A name as it is compared: one case, one spelling of each word, one form of each character."""
    text = unicodedata.normalize("NFKD", text)
    text = "".join(FOLDED.get(sign, sign) for sign in text if not unicodedata.combining(sign))
    words = re.findall(r"[a-z]+|\d+|[^\W\d_a-z]+", text.casefold().replace("'", "").replace("’", ""))
    # An s at the end is dropped last: pungs is as good as pung, and triplets as triplet.
    plain = [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words]
    return "".join(WORDS.get(word, word) for word in plain)


@lru_cache(maxsize=16)
def _names(rules: RuleSet) -> tuple[Mapping[str, tuple[str, ...]], Mapping[int, str]]:
    """Every folded name with the fans that it can mean, and the fans by their published number."""
    names: dict[str, list[str]] = {}
    numbers: dict[int, str] = {}
    fans = fans_of(rules)
    for fan in fans.values():
        code = _CODE.search(fan.source)
        for name in (fan.id, fan.name.en, fan.name.zh, code[1] if code else ""):
            if name:
                _add(names, name, fan.id)
        if fan.number is not None:
            numbers[fan.number] = fan.id
    # Own names first: a nickname never takes the name of another fan away.
    own = set(names)
    for nicknames in (OF_RULES.get(rules.id, {}), COMMON):
        for ident, written in nicknames.items():
            for name in written:
                if ident in fans and _folded(name) not in own:
                    _add(names, name, ident)
    return {name: tuple(idents) for name, idents in names.items()}, numbers


def _add(names: dict[str, list[str]], name: str, ident: str) -> None:
    known = names.setdefault(_folded(name), [])
    if ident not in known:
        known.append(ident)


@lru_cache(maxsize=16)
def fans_of(rules: RuleSet) -> Mapping[str, Fan]:
    """Every fan that a rule set can have under any of its house rules, by id; the default record first."""
    found = {fan.id: fan for fan in rules.fans}
    for option in rules.options:
        for value in option.choices or (option.low, option.high):
            if value != option.default:
                table = rules.table(rules.require_options({option.id: value}))
                for fan in table.fans:
                    found.setdefault(fan.id, fan)
    return found
