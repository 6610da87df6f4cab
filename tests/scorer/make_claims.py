"""Assembles `golden/*.claims`: a hundred claims for each rule set and what a referee must say to each.

    python -m tests.scorer.make_claims

No verdict comes from the audit that the file tests. A claim is a golden hand, whose fans are known, with its
true count told, or told wrongly in one way whose verdict the rule book gives: a fan that another shuts out
(`SHUT_OUT`, copied from the notes of the rule texts), a fan that the tiles or the win cannot have (`ABSENT`,
plain questions about the tiles), a fan left out, a total too high, one tile changed, taken or added. That a
changed hand does not win is found by parting its tiles in every way, here. What near misses of `mcr` are
worth says PyMahjongGB.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from scorer import RULESETS, Hand, Tile
from scorer.tiles import ALL_TILES
from tests.scorer.claim_rules import ABSENT, SHUT_OUT, Known
from tests.scorer.hands import GOLDEN, lines

#: How many claims of each kind there are for a rule set.
QUOTA = {"valid": 24, "over": 26, "under": 14, "false": 22, "near": 14}

#: What the article must hold that says which shapes win.
SHAPE = {"mcr": "winning forms", "tvb": "B6", "hk": "Winning Hand Structures", "singapore": "Hu"}


@dataclass(frozen=True)
class Line:
    """One claim and what must be said to it."""

    known: Known
    claim: str
    total: int | None
    verdict: str
    stands: int
    faults: str
    article: str
    why: str
    options: str = "-"

    def text(self) -> str:
        total = "-" if self.total is None else str(self.total)
        return " | ".join(
            (
                self.known.hand, self.known.context, self.options, self.claim, total, self.verdict,
                str(self.stands), self.faults, self.article, self.why,
            )
        )  # fmt: skip


def golden(rules: str) -> list[Known]:
    found = []
    for line in lines(f"{rules}.hands", 5):
        hand, context, total, fans, source = map(str, line.values)
        names: list[str] = []
        for item in fans.split(", "):
            name, _, times = item.partition(" x")
            names.extend([name] * int(times or 1))
        found.append(Known(hand, context, int(total), tuple(names), source))
    return found


class Maker:
    """Makes the lines of one rule set."""

    def __init__(self, rules: str) -> None:
        self.rules = rules
        self.chance = random.Random(f"claims of {rules}")
        self.table = {fan.id: fan for fan in RULESETS[rules].fans}
        described = RULESETS[rules].describe()
        self.minimum, self.cap = described["minimum"], described["cap"]
        self.hands = golden(rules)
        self.winning = [known for known in self.hands if self.toward(known.fans) >= self.minimum]

    def toward(self, fans: tuple[str, ...]) -> int:
        """The points that the minimum is measured by."""
        return sum(self.table[fan].points for fan in fans if self.rules != "mcr" or fan != "flower_tiles")

    def sum(self, fans: tuple[str, ...]) -> int:
        points = sum(self.table[fan].points for fan in fans)
        return points if self.cap is None else min(points, self.cap)

    def article(self, fan: str) -> str:
        """What the citation of a fan must hold: its number, or its code, or its Chinese name."""
        record = self.table[fan]
        if self.rules == "mcr":
            return f"fan {record.number}" if record.number else "supplementary"
        return record.source.rpartition(", ")[2] if self.rules == "tvb" else record.name.zh

    def written(self, fans: tuple[str, ...], how: str | None = None) -> str:
        """The claim as somebody would write it."""
        how = how or self.chance.choice(("en", "zh", "id", "number", "each"))
        parts = []
        for fan in dict.fromkeys(fans):
            record, times = self.table[fan], fans.count(fan)
            ways = {"en": record.name.en, "zh": record.name.zh, "id": fan}
            ways["number"] = f"#{record.number}" if record.number else record.name.en
            # 一台花 is the name of two fans.
            name = ways[self.chance.choice(list(ways)) if how == "each" else how]
            name = record.name.en if name == "一台花" else name
            parts.append(name if times == 1 else f"{name} x{times}")
        return ", ".join(parts)

    def valid(self) -> Iterator[Line]:
        for known in self.mixed(self.winning):
            only = self.chance.random()
            claim = "-" if only < 0.2 else self.written(known.fans)
            total = None if only > 0.6 else known.total
            yield Line(known, claim, total, "valid", known.total, "-", "-", f"as counted: {known.source}")

    def over(self) -> Iterator[Line]:
        kinds = [self.too_high(), self.not_there(), self.shut_out()]
        while kinds:
            for kind in list(kinds):
                line = next(kind, None)
                if line is None:
                    kinds.remove(kind)
                else:
                    yield line

    def shut_out(self) -> Iterator[Line]:
        for known in self.mixed(self.winning):
            for greater in dict.fromkeys(known.fans):
                for other in SHUT_OUT[self.rules].get(greater, ()):
                    if other in known.fans or (greater, other) in self.used or other not in self.table:
                        continue
                    if sum(other in SHUT_OUT[self.rules].get(fan, ()) for fan in set(known.fans)) > 1:
                        continue  # either may be named
                    self.used.add((greater, other))
                    fans = (*known.fans, other)
                    why = f"{other} is not counted beside {greater}"
                    fault = f"excluded {other} by {greater}"
                    yield self.bad(known, fans, fault, self.article(greater), why)

    def not_there(self) -> Iterator[Line]:
        for known in self.mixed(self.winning):
            choices = [
                (fan, why)
                for fan, (asks, why) in ABSENT.items()
                if fan in self.table and fan not in known.fans and asks(known)
            ]
            if choices and known.fans != ("flower_tiles",):
                fan, why = self.chance.choice(choices)
                fault = f"not_held {fan}"
                yield self.bad(known, (*known.fans, fan), fault, self.article(fan), f"{fan}: {why}")

    def too_high(self) -> Iterator[Line]:
        for known in self.mixed(self.winning):
            if self.cap is None or sum(self.table[fan].points for fan in known.fans) < self.cap:
                more = self.chance.randint(1, 3)
                claim = self.written(known.fans) if self.chance.random() < 0.6 else "-"
                why = f"it comes to {known.total}"
                article = {
                    "mcr": "sum of its fans",
                    "tvb": "B5a",
                    "hk": "added up",
                    "singapore": "over-declared",
                }
                yield Line(
                    known,
                    claim,
                    known.total + more,
                    "over_claimed",
                    known.total,
                    "total",
                    article[self.rules],
                    why,
                )

    def bad(self, known: Known, fans: tuple[str, ...], fault: str, article: str, why: str) -> Line:
        total = None if self.chance.random() < 0.5 else known.total
        return Line(known, self.written(fans), total, "over_claimed", known.total, fault, article, why)

    def under(self) -> Iterator[Line]:
        for known in self.mixed(self.winning):
            for fan in self.mixed(list(dict.fromkeys(known.fans))):
                left = list(known.fans)
                left.remove(fan)
                kept = tuple(left)
                # What is left out must not be what the rest stands on: a hand without other fans is another.
                if not kept or self.toward(kept) < self.minimum or self.sum(kept) == known.total:
                    continue
                total = None if self.chance.random() < 0.5 else self.sum(kept)
                why = f"{fan} is left out"
                yield Line(known, self.written(kept), total, "under_claimed", self.sum(kept), "-", "-", why)
                break

    def false(self) -> Iterator[Line]:
        swapped, taken, added = self.swapped(), self.taken(), self.added()
        for known in self.mixed(self.winning) * 3:
            if len(known.tiles.bonus) < 7:  # flowers may win whatever stands
                found = next(self.chance.choice((swapped, swapped, taken, added)), None)
                if found is not None:
                    yield found

    def plain(self) -> list[Known]:
        return [known for known in self.mixed(self.winning) if len(known.tiles.bonus) < 7]

    def swapped(self) -> Iterator[Line]:
        for known in self.plain():
            hand = known.tiles
            for _ in range(20):
                out = self.chance.choice(hand.standing)
                into = self.chance.choice([t for t in ALL_TILES[:34] if hand.tiles.count(t) < 3])
                standing = [*hand.standing]
                standing.remove(out)
                if into != out and not wins([*standing, into], len(hand.melds), self.rules):
                    other = replace(hand, concealed=tuple(standing), winning=into)
                    changed = replace(known, hand=str(other))
                    why = f"{into} in the place of {out}"
                    claim = self.written(known.fans)
                    yield Line(
                        changed,
                        claim,
                        known.total,
                        "not_winning",
                        0,
                        f"missing {out}",
                        SHAPE[self.rules],
                        why,
                    )
                    break

    def counted(self, known: Known, hand: Hand, fault: str, why: str) -> Line:
        article = {
            "mcr": "fourteen tiles",
            "tvb": "B6",
            "hk": "What Invalidates",
            "singapore": "complete hand",
        }
        changed, claim = replace(known, hand=str(hand)), self.written(known.fans)
        verdict = "wrong_number_of_tiles"
        return Line(changed, claim, known.total, verdict, 0, fault, article[self.rules], why)

    def taken(self) -> Iterator[Line]:
        for known in self.plain():
            hand = known.tiles
            if hand.concealed:
                out = self.chance.choice(hand.concealed)
                standing = list(hand.concealed)
                standing.remove(out)
                short = replace(hand, concealed=tuple(standing))
                yield self.counted(known, short, f"missing {out}", f"{out} is missing")

    def added(self) -> Iterator[Line]:
        for known in self.plain():
            hand = known.tiles
            into = self.chance.choice([t for t in ALL_TILES[:34] if hand.tiles.count(t) < 3])
            long = replace(hand, concealed=(*hand.concealed, into))
            yield self.counted(known, long, f"spare {into}", f"one {into} too many")

    def near(self) -> Iterator[Line]:
        """Hands that come near: below the minimum, or near a win or a fan."""
        yield from self.below()
        yield from self.missed()

    def below(self) -> Iterator[Line]:
        article = {"mcr": "eight points", "tvb": "B5b", "hk": "min_faan", "singapore": "min_tai"}[self.rules]
        short = [known for known in self.hands if self.toward(known.fans) < self.minimum]
        for known in short[:6]:
            why = f"{self.toward(known.fans)} of {self.minimum}"
            claim = self.written(known.fans)
            yield Line(known, claim, None, "below_minimum", self.sum(known.fans), "minimum", article, why)
        # With a higher minimum, which the table may play, the same hands fall short.
        option = {"tvb": "min_fan", "hk": "min_faan", "singapore": "min_tai"}.get(self.rules)
        if option:
            for known in self.mixed(self.winning):
                points = self.toward(known.fans)
                if known.fans and points < 4:
                    why = f"{points} of {points + 1}, by house rule"
                    options = f"{option}={points + 1}"
                    line = Line(
                        known,
                        self.written(known.fans),
                        None,
                        "below_minimum",
                        points,
                        "minimum",
                        article,
                        why,
                        options,
                    )
                    self.higher = getattr(self, "higher", 0) + 1
                    if self.higher <= 4:
                        yield line

    def missed(self) -> Iterator[Line]:
        priced = {(known.hand, known.context) for known in self.hands}
        free = {"hk": "min_faan=0", "tvb": "min_fan=0"}.get(self.rules)
        for line in self.mixed(lines(f"{self.rules}_near.hands", 4)):
            hand, context, fans, why = map(str, line.values)
            names = fans.split(", ")
            if Hand.parse(hand).bonus[6:] or (context.startswith("discard") and "kong" in context):
                continue  # seven flowers are a matter of their own; nobody can have won like that
            known = Known(hand, context, 0, (), why)
            if "win" in names:
                name = next((fan for fan in names if fan != "win"), None)
                claim = self.written((name,)) if name in self.table else "-"
                total = 8 if claim == "-" else None
                yield Line(known, claim, total, "not_winning", 0, "shape", SHAPE[self.rules], why)
            elif why.startswith(("in ", "a pair of the third dragon; its")):
                continue  # it is there, and a winner may leave the greater fan unclaimed
            elif names[0] in self.table and (free or (hand, context) in priced):
                claim = self.written((names[0],))
                yield Line(
                    known, claim, None, "over_claimed", 0, f"not_valid {names[0]}", "-", why, free or "-"
                )
            elif names[0] in self.table and self.rules == "mcr":
                best = other_scorer(hand, context)
                if best >= self.minimum:
                    fault = f"not_valid {names[0]}"
                    yield Line(known, self.written((names[0],)), None, "over_claimed", 0, fault, "-", why)

    def mixed(self, things: list) -> list:  # type: ignore[type-arg]
        return self.chance.sample(things, len(things))

    def lines(self) -> list[Line]:
        """As many of each kind as the quota says; where a kind runs out, valid claims make up the hundred."""
        self.used: set[tuple[str, str]] = set()
        found: list[Line] = []
        for kind, wanted in QUOTA.items():
            if kind != "valid":
                several = getattr(self, kind)()
                found.extend(line for _, line in zip(range(wanted), several, strict=False))
        more = self.valid()
        return [*(next(more) for _ in range(100 - len(found))), *found]


def wins(tiles: list[Tile], sets: int, rules: str) -> bool:
    """Whether the standing tiles win beside so many sets, found by parting them in every way."""
    counts = [0] * 34
    for tile in tiles:
        counts[tile.index] += 1
    orphans = [0, 8, 9, 17, 18, 26, *range(27, 34)]
    bare = sets == 0
    if bare and all(counts[kind] for kind in orphans) and sum(counts[kind] for kind in orphans) == 14:
        return True
    if any(
        parts([*counts[:kind], counts[kind] - 2, *counts[kind + 1 :]])
        for kind in range(34)
        if counts[kind] >= 2
    ):
        return True
    if rules != "mcr":
        return False
    # Seven pairs and knitted tiles: nothing near them is called a false win here.
    knitted = len({kind for kind, count in enumerate(counts) if count}) >= 9 and sum(counts[:27]) >= 7
    return knitted or (bare and all(count % 2 == 0 for count in counts))


def parts(counts: list[int]) -> bool:
    at = next((kind for kind, count in enumerate(counts) if count), None)
    if at is None:
        return True
    if counts[at] >= 3:
        less = list(counts)
        less[at] -= 3
        if parts(less):
            return True
    if at < 27 and at % 9 < 7 and counts[at + 1] and counts[at + 2]:
        less = list(counts)
        for kind in (at, at + 1, at + 2):
            less[kind] -= 1
        return parts(less)
    return False


def other_scorer(hand: str, context: str) -> int:
    """Points without flowers by PyMahjongGB."""
    import MahjongGB

    from tests.scorer.hands import context_of
    from tests.scorer.mcr_oracle import IDS, Case, asked

    said = MahjongGB.MahjongFanCalculator(*asked(Case(Hand.parse(hand), context_of(context))), True)
    return sum(points * times for points, times, name, _ in said if IDS[name] != "flower_tiles")


HEAD = """\
# {name}: claims for a hand, and what a referee must say to each.
#
# hand | win, seat, round, flags | house rules | fans claimed | total claimed | verdict | points that stand |
# what is wrong (a fan; the fan or principle that shuts it out; a tile that is missing or spare) | what the
# cited article must hold | why
#
# Made by `python -m tests.scorer.make_claims` from the golden hands of this folder, each with one
# change whose verdict the rule book gives; none of it was taken from what the audit says.

"""


def main() -> None:
    for rules, told in RULESETS.items():
        maker = Maker(rules)
        made = [line.text() for line in maker.lines()]
        assert len(made) == 100, rules
        text = HEAD.format(name=told.name.en) + "\n".join(made) + "\n"
        Path(GOLDEN / f"{rules}.claims").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
