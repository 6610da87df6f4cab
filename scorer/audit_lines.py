"""The lines of an audit: what each part of a claim comes to, the article that says so, and its tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.articles import Citation, Point, cite, cite_fan
from scorer.claim_text import fans_of
from scorer.distance import Distance
from scorer.engine import Count, present_in, sets_of
from scorer.fan import Fan, Name, OptionValue
from scorer.hand import Hand
from scorer.judging import Fault, FaultCode, Judgement
from scorer.reasons import why_absent
from scorer.ruleset import RuleSet, Table
from scorer.tiles import Tile

__all__ = [
    "AuditLine", "Scope", "counted_lines", "fault_lines", "look_line", "missing_line", "number_line",
    "over_total_line", "paid_line", "short_line", "unclaimed_lines", "unknown_line",
]  # fmt: skip

Scope = tuple[RuleSet, Mapping[str, OptionValue], Table]

_UNKNOWN: Mapping[str, Name] = {
    "win": Name("how the winning tile came", "和牌張如何得來"),
    "seat": Name("the winner's seat wind", "和牌者的門風"),
    "round": Name("the wind of the round", "圈風"),
    "winning_tile": Name("which tile won", "哪一張是和牌張"),
}
_LOOK: Mapping[str, str] = {
    "five_of_a_tile": "同一種牌多於四張，請再看",
    "duplicate_bonus": "同一張花牌出現兩次，請再看",
    "face_down_tile": "有牌面朝下，請翻開",
    "bonus_in_hand": "手牌中有花牌，請再看",
    "not_a_bonus": "花牌處有非花牌，請再看",
    "barred": "按規則此牌不能和",
}


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One part of the answer: a stable `code`, a sentence in two languages, the rule, and its tiles.

    `fan` None where the line is of no fan; `times` and `points` (of one occurrence) are those that count, or
    that do not; `because` names the fan or the principle that shuts it out.
    """

    code: str
    says: Name
    rule: Citation
    tiles: tuple[Tile, ...] = ()
    fan: Fan | None = None
    times: int = 1
    points: int = 0
    because: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "code": self.code,
            "fan": None if self.fan is None else self.fan.id,
            "name": None if self.fan is None else self.fan.name.to_dict(),
            "times": self.times,
            "points": self.points,
            "because": self.because,
            "says": self.says.to_dict(),
            "rule": self.rule.to_dict(),
            "tiles": [str(tile) for tile in self.tiles],
        }


def counted_lines(scope: Scope, count: Count, stands: Mapping[str, int]) -> Iterator[AuditLine]:
    """The fans that count, greatest first."""
    rules, values, table = scope
    for ident in sorted(stands, key=table.place.__getitem__):
        fan, times = table.by_id[ident], stands[ident]
        often = "" if times == 1 else f" x {times}"
        says = Name(f"{fan.name.en}: {fan.points}{often}", f"{fan.name.zh}：{fan.points}{often}")
        rule = cite_fan(rules, values, fan)
        yield AuditLine("counts", says, rule, fan.where(count.facts), fan, times, fan.points)


def fault_lines(scope: Scope, judged: Judgement, readings: Sequence[Count]) -> Iterator[AuditLine]:
    """The fans that were claimed and do not count, each with what speaks against it."""
    for fault in judged.faults:
        yield _fault_line(scope, judged, fault, readings)


def _fault_line(scope: Scope, judged: Judgement, fault: Fault, readings: Sequence[Count]) -> AuditLine:
    rules, values, table = scope
    facts = judged.counted.facts
    fan = table.by_id.get(fault.fan) or fans_of(rules)[fault.fan]
    en, zh = fan.name.en, fan.name.zh
    tiles, because = fan.where(facts) if fan.id in table.place else (), fault.because
    if fault.code is FaultCode.NOT_IN_TABLE:
        says = Name(f"{en} is not in the table of these house rules", f"{zh}：本桌規則不設此番")
        rule = cite(rules, values, Point.HOUSE, f"{en} is not played")
    elif fault.code is FaultCode.MISPRICED:
        says = Name(f"{en} is {fan.points}, not {fault.price}", f"{zh}為{fan.points}，非{fault.price}")
        rule = cite_fan(rules, values, fan, f"{fan.points} each")
    elif fault.code is FaultCode.TOO_OFTEN:
        counts = judged.stands.get(fan.id, 0)
        says = Name(f"{en} counts {counts} times, not {counts + fault.times}", f"{zh}只計{counts}次")
        rule = cite_fan(rules, values, fan, fault.rule or f"it is there {counts} times")
    elif fault.code is FaultCode.EXCLUDED:
        other = table.by_id.get(because)
        if other is None:
            says = Name(
                f"{en} does not count: {fault.rule}", f"{zh}不計（{_PRINCIPLES.get(because, because)}）"
            )
            rule = cite_fan(rules, values, fan, fault.rule)
        else:
            says = Name(
                f"{en} does not count beside {other.name.en}: {fault.rule}",
                f"{zh}不與{other.name.zh}同計",
            )
            # The record of the greater fan is the one that shuts the other out.
            rule = cite_fan(rules, values, other, fault.rule)
    else:
        elsewhere = next((count for count in readings if fan.id in present_in(table, count.facts)), None)
        if elsewhere is not None:
            sets = " ".join(sets_of(elsewhere.facts))
            because = "one_reading"
            says = Name(
                f"{en} is there only where the tiles are read as {sets}, and then not all of the rest is",
                f"{zh}須將牌讀作{sets}，與其餘所報不能並存",
            )
            rule = cite(rules, values, Point.ONE_READING)
            tiles = fan.where(elsewhere.facts)
        else:
            why, tiles = why_absent(table, facts, fan)
            says = Name(f"{en} is not there: {why.en}", f"{zh}不成立：{why.zh}")
            rule = cite_fan(rules, values, fan)
    return AuditLine(fault.code.value, says, rule, tiles, fan, fault.times, fan.points, because)


_PRINCIPLES = {"account_once": "組合一次原則"}


def over_total_line(scope: Scope, claimed: int, counted: int) -> Iterator[AuditLine]:
    """The total that was claimed, where what counts comes to less."""
    rules, values, _ = scope
    if claimed > counted:
        says = Name(f"{claimed} is claimed; what counts comes to {counted}", f"報{claimed}，實計{counted}")
        yield AuditLine("total", says, cite(rules, values, Point.SUM), points=claimed - counted)


def paid_line(scope: Scope, uncapped: int) -> Iterator[AuditLine]:
    """The most that is paid, where the hand comes to more."""
    rules, values, table = scope
    if table.cap is not None and uncapped > table.cap:
        says = Name(f"at most {table.cap} are paid of {uncapped}", f"共{uncapped}，最多計{table.cap}")
        yield AuditLine("capped", says, cite(rules, values, Point.MOST), points=table.cap)


def short_line(scope: Scope, toward: int) -> AuditLine:
    """What stands is less than wins."""
    rules, values, table = scope
    says = Name(
        f"{toward} stand toward the minimum of {table.minimum}", f"有效{toward}，起和須{table.minimum}"
    )
    return AuditLine("minimum", says, cite(rules, values, Point.MINIMUM), points=table.minimum)


def unclaimed_lines(scope: Scope, best: Count, stands: Mapping[str, int]) -> Iterator[AuditLine]:
    """What the best count has beyond what was claimed."""
    rules, values, table = scope
    for ident, times in best.counts.items():
        left = times - stands.get(ident, 0)
        if left > 0 and stands:
            fan = table.by_id[ident]
            says = Name(f"{fan.name.en} was not claimed", f"{fan.name.zh}未報")
            rule = cite_fan(rules, values, fan)
            yield AuditLine("unclaimed", says, rule, fan.where(best.facts), fan, left, fan.points)
    says = Name(f"the hand comes to {best.uncapped}", f"此牌共{best.uncapped}")
    yield AuditLine("worth", says, cite(rules, values, Point.SUM), points=best.uncapped)


def unknown_line(scope: Scope, name: str, tiles: tuple[Tile, ...]) -> AuditLine:
    """A circumstance that must be known before anything is decided."""
    rules, values, _ = scope
    words = _UNKNOWN.get(name) or Name(f"whether it was so: {name}", f"是否屬實：{name}")
    says = Name(f"It depends on {words.en}", f"取決於{words.zh}")
    return AuditLine("unknown", says, cite(rules, values, Point.SUM), tiles, because=name)


def look_line(scope: Scope, code: str, detail: str, tiles: tuple[Tile, ...]) -> AuditLine:
    """Something that speaks against the tiles or against what was stated."""
    rules, values, _ = scope
    says = Name(detail, _LOOK.get(code, "所述情況與牌不符，請再核對"))
    return AuditLine(code, says, cite(rules, values, Point.SHAPE), tiles)


def _listed(tiles: Sequence[Tile]) -> str:
    return " ".join(str(tile) for tile in tiles)


def missing_line(scope: Scope, far: Distance | None) -> AuditLine:
    """What a hand lacks that does not win."""
    rules, values, _ = scope
    rule = cite(rules, values, Point.SHAPE)
    if far is None:
        return AuditLine("missing", Name("the tiles form no winning shape", "牌組不成和牌"), rule)
    if far.tiles == 1 and far.swaps:
        single = list(dict.fromkeys(swap.missing for swap in far.swaps if swap.missing is not None))
        names = _listed(single)
        one, zh = (f"one of {names}", f"{names}之一") if len(single) > 1 else (names, names)
        says = Name(f"one tile would have to be another: {one} is missing", f"差一張：欠{zh}")
        spare = tuple(dict.fromkeys(swap.spare for swap in far.swaps if swap.spare is not None))
        return AuditLine("missing", says, rule, spare, times=1)
    missing = _listed(far.missing)
    says = Name(
        f"{far.tiles} tiles would have to be others, at the nearest {missing}",
        f"差{far.tiles}張，最近者欠{missing}",
    )
    return AuditLine("missing", says, rule, far.spare, times=far.tiles)


def number_line(scope: Scope, code: str, hand: Hand, far: Distance | None) -> AuditLine:
    """Too many or too few tiles, and what is missing or spare."""
    rules, values, _ = scope
    wanted, size = 14 - 3 * len(hand.melds), len(hand.standing)
    rule = cite(rules, values, Point.TILES)
    if wanted < 0:
        sets = len(hand.melds)
        says = Name(f"{sets} sets lie on the table; a hand has at most four", f"副露{sets}組，多於四組")
        return AuditLine(code, says, rule, hand.tiles)
    says = Name(
        f"{size} tiles stand beside {len(hand.melds)} sets; {wanted} must", f"手牌{size}張，應為{wanted}張"
    )
    if far is not None and far.swaps:
        tiles = [swap.missing or swap.spare for swap in far.swaps]
        names = _listed([tile for tile in dict.fromkeys(tiles) if tile is not None])
        word = ("missing", "欠") if size < wanted else ("spare", "多")
        says = Name(f"{says.en}; {word[0]} {names}", f"{says.zh}；{word[1]}{names}")
    return AuditLine(code, says, rule, () if far is None else far.spare, times=abs(wanted - size))
