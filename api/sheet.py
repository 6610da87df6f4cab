"""The sheet to sign: one page of a bundle, in English and Chinese.

Chinese is written with the font of the extra `sheet`, or one of the system's; only the characters that are
used are embedded. Where there is no such font the sheet is made in English alone, and says so.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Mapping
from datetime import datetime
from importlib import util
from pathlib import Path
from typing import Any

from fpdf import FPDF
from fpdf.errors import FPDFException

from api.errors import ApiError
from api.faces import PAPERS, hand_drawing
from api.recheck import require_bundle
from api.sheet_facts import both, facts
from scorer import Hand

__all__ = ["PAPERS", "chinese_font", "make_sheet"]

_MARGIN = 12.0
_INK, _DIM, _RED, _GREEN = (30, 30, 30), (110, 110, 110), (176, 32, 40), (20, 110, 60)
#: A package that holds a font, and the font's place in it.
_PACKAGED = ("pylopdf_fonts_zh_cn", "NotoSansSC-Regular.otf")
#: Where systems keep such fonts, and which of a collection to take.
_OF_SYSTEM = (
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2),
    ("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", 0),
    ("/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc", 0),
    ("/usr/share/fonts/truetype/arphic/uming.ttc", 0),
)
_FALSE = ("not_winning", "wrong_number_of_tiles", "below_minimum", "over_claimed")
_GOOD = ("counts", "capped", "unclaimed", "worth")
#: Millimetres between two lines of the table, and between two facts.
_ROW, _FACT = 5.2, 4.6
_FACT_SIZE = 8.5
#: How much of the width the picture may take.
_PICTURE = 0.58
_SIGN = (
    ("Winner", "和牌者", "winner"),
    ("Discarder", "出銃者", "discarder"),
    ("Player", "其他玩家", ""),
    ("Player", "其他玩家", ""),
    ("Referee", "裁判", "referee"),
)
_PLACE = (("event", "Event", "賽事"), ("table", "Table", "桌"), ("hand", "Hand", "局"))


def chinese_font() -> Path | None:
    """A font with Chinese characters: of the extra `sheet`, else of the system, else None."""
    found = util.find_spec(_PACKAGED[0])
    if found is not None and found.origin is not None:
        packaged = Path(found.origin).with_name(_PACKAGED[1])
        if packaged.is_file():
            return packaged
    return next((Path(path) for path, _ in _OF_SYSTEM if Path(path).is_file()), None)


def make_sheet(bundle: bytes, paper: str = "a4", font: Path | None = None) -> bytes:
    """The page of a bundle as PDF; the same bundle and font give the same bytes.

    `font` None writes English alone. Raises Broken for a bundle that is not as it was made, and ApiError
    `font_unusable`.
    """
    record, members = require_bundle(bundle)
    sheet = _Sheet(paper, font)
    sheet.set_creation_date(datetime.fromisoformat(record["made"]["at"].replace("Z", "+00:00")))
    try:
        _draw(sheet, record, members["overlay.png"], hashlib.sha256(bundle).hexdigest())
        return bytes(sheet.output())
    except FPDFException as error:
        raise ApiError("font_unusable", "the font cannot write what is on the sheet") from error


class _Sheet(FPDF):
    """One page with the font that there is."""

    def __init__(self, paper: str, font: Path | None) -> None:
        super().__init__(format="A4" if paper == "a4" else "Letter")
        self.chinese = font is not None
        if font is not None:
            number = next((index for path, index in _OF_SYSTEM if Path(path) == font), 0)
            try:
                self.add_font("both", "", font, collection_font_number=number)
            except Exception as error:
                # The font's reader raises whatever a broken file makes of it.
                raise ApiError("font_unusable", f"{font.name}: cannot be read as a font") from error
        self.set_auto_page_break(False)
        self.c_margin = 0
        self.set_margins(_MARGIN, _MARGIN, _MARGIN)
        self.add_page()
        self.set_title("Score sheet of a hand")

    def both(self, en: str, zh: str) -> str:
        """The words in both languages, or in the one that can be written."""
        return both(en, zh, self.chinese)

    def _set(self, text: str, size: float) -> str:
        """Take the font in this size; what of the text it can write."""
        self.set_font("both" if self.chinese else "Helvetica", size=size)
        return text if self.chinese else text.encode("latin-1", "replace").decode("latin-1")

    def width_of(self, text: str, size: float) -> float:
        """How wide a text is, in millimetres."""
        return float(self.get_string_width(self._set(text, size)))

    def broken(self, text: str, size: float, width: float, most: int) -> list[str]:
        """A text in lines that are not too wide, at most so many; the last says where more is left out."""
        lines = [""]
        for part in re.findall(r"\s*(?:[\u2e80-\uffef][，。、：；）」]*|[^\s\u2e80-\uffef]+)", text):
            if lines[-1] and self.width_of(lines[-1] + part, size) > width:
                lines.append("")
            lines[-1] += part if lines[-1] else part.lstrip()
        return [*lines[: most - 1], f"{lines[most - 1]} ..."] if len(lines) > most else lines

    def write_at(
        self, x: float, y: float, text: str, size: float = 9, colour: tuple[int, int, int] = _INK,
        width: float = 0, least: float = 0,
    ) -> None:  # fmt: skip
        """One line of text. Where it is too wide it is written smaller, down to `least`, and then cut."""
        while width and size - 0.5 >= least > 0 and self.width_of(text, size) > width:
            size -= 0.5
        text = self._set(text, size)
        self.set_text_color(*colour)
        if width:
            while len(text) > 1 and self.get_string_width(text) > width:
                text = f"{text[:-2]}…" if self.chinese else f"{text[:-2]}."
        self.set_xy(x, y)
        self.cell(w=width or None, h=size * 0.5, text=text)


def _draw(sheet: _Sheet, record: Mapping[str, Any], overlay: bytes, digest: str) -> None:
    wide = sheet.w - 2 * _MARGIN
    y = _head(sheet, record)
    told = _broken(sheet, record, wide)
    # The lines take what facts, hand, verdict and signatures leave, and the picture what is left by all.
    rest = sheet.h - _MARGIN - y - 26 - 18 - 41
    most = max(int((rest - _FACT * len(told)) / _ROW) - 1, 4)
    rows = _rows(record, sheet.chinese, most)
    room = max(rest - _ROW * (len(rows) + 1), _FACT * len(told))
    y = _picture(sheet, overlay, told, y, min(room, 92.0))
    y = _hand(sheet, Hand.parse(record["hand"]), y, wide)
    y = _lines(sheet, rows, y, wide, record["verdict"] is not None)
    _verdict(sheet, record, y, wide)
    _sign(sheet, record, wide)
    _foot(sheet, record, digest, wide)


def _head(sheet: _Sheet, record: Mapping[str, Any]) -> float:
    sheet.write_at(_MARGIN, _MARGIN, sheet.both("Score sheet of a hand", "和牌核對紙"), 15)
    place = record["place"]
    parts = [f"{sheet.both(en, zh)}: {place[key]}" for key, en, zh in _PLACE if place.get(key)]
    parts.append(record["made"]["at"].replace("T", " "))
    sheet.write_at(_MARGIN, _MARGIN + 9, "     ".join(parts), 9, _DIM, sheet.w - 2 * _MARGIN, least=6)
    return _MARGIN + 15


_Line = tuple[str, tuple[int, int, int]]


def _broken(sheet: _Sheet, record: Mapping[str, Any], wide: float) -> list[_Line]:
    """The facts in lines for the column beside the widest picture."""
    return [
        (line, _DIM if fact.aside else _INK)
        for fact in facts(record, sheet.chinese)
        for line in sheet.broken(fact.text, _FACT_SIZE, wide * (1 - _PICTURE) - 5, fact.lines)
    ]


def _picture(sheet: _Sheet, overlay: bytes, told: list[_Line], y: float, room: float) -> float:
    """The picture, and beside it the facts."""
    from vision.overlay import to_print

    picture, width, height = to_print(overlay)
    most = (sheet.w - 2 * _MARGIN) * _PICTURE
    scale = min(most / width, room / height)
    sheet.image(io.BytesIO(picture), x=_MARGIN, y=y, w=width * scale, h=height * scale)
    x = _MARGIN + width * scale + 5
    for place, (text, colour) in enumerate(told):
        sheet.write_at(x, y + _FACT * place, text, _FACT_SIZE, colour, sheet.w - _MARGIN - x)
    return float(y + max(height * scale, _FACT * len(told))) + 4


def _hand(sheet: _Sheet, hand: Hand, y: float, wide: float) -> float:
    drawing, aspect = hand_drawing(hand)
    high = min(15.5, wide / aspect)
    sheet.image(io.BytesIO(drawing.encode("utf-8")), x=_MARGIN, y=y, w=high * aspect)
    sheet.write_at(_MARGIN, y + high + 2.0, str(hand), 8, _DIM, wide, least=6)
    return y + high + 7.5


_Row = tuple[str, str, str, str, bool]


def _rows(record: Mapping[str, Any], chinese: bool, most: int) -> list[_Row]:
    """Each line of the table: English, Chinese, points, article, and whether it counts. What does not count
    takes two, for its reason is long."""
    verdict = record["verdict"]
    if verdict is None:
        rows: list[_Row] = [
            (fan["name"]["en"], fan["name"]["zh"], _points(fan), " ".join(fan["tiles"]), True)
            for fan in record["score"]["fans"]
        ]
        if not record["score"]["legal"]:
            rows += [(problem["detail"], "", "", "", False) for problem in record["score"]["problems"]]
    else:
        rows = []
        for line in verdict["lines"]:
            counts = line["code"] in _GOOD
            words = line["name"] if line["code"] == "counts" else line["says"]
            points = _points(line) if line["fan"] and line["points"] else ""
            rows.append((words["en"], words["zh"] if counts else "", points, line["rule"]["article"], counts))
            if not counts and chinese:
                rows.append(("", words["zh"], "", "", False))
    if len(rows) <= most:
        return rows
    kept = rows[: most - 1]
    # A reason in Chinese does not stand without the one in English, nor that one alone.
    while kept and not rows[len(kept)][0]:
        kept.pop()
    left = sum(1 for row in rows[len(kept) :] if row[0])
    return [*kept, (f"and {left} more lines, in the bundle", f"另有{left}項，見證據檔", "", "", True)]


def _points(fan: Mapping[str, Any]) -> str:
    return f"{fan['points']}" if fan["times"] == 1 else f"{fan['points']} x {fan['times']}"


def _lines(sheet: _Sheet, rows: list[_Row], y: float, wide: float, judged: bool) -> float:
    columns = (0.0, 0.56 * wide, 0.68 * wide)
    heads = (("Fan", "番種"), ("Points", "分"), ("Rule", "依據") if judged else ("Tiles", "牌"))
    for x, (en, zh) in zip(columns, heads, strict=True):
        sheet.write_at(_MARGIN + x, y, sheet.both(en, zh), 7.5, _DIM)
    sheet.set_draw_color(190)
    for place, (en, zh, points, rule, good) in enumerate(rows, start=1):
        at = y + _ROW * place
        colour = _INK if good else _RED
        if not en:
            sheet.write_at(_MARGIN + 3, at - 0.8, zh, 8.5, colour, wide)
            continue
        sheet.line(_MARGIN, at - 0.9, _MARGIN + wide, at - 0.9)
        words = sheet.both(en, zh) if good else f"\u00d7 {en}"
        if points and good:
            sheet.write_at(_MARGIN, at, words, 8.5, colour, columns[1] - 3, least=7)
            sheet.write_at(_MARGIN + columns[1], at, points, 8.5, colour)
            _rule(sheet, columns[2], at, rule, wide)
        else:
            sheet.write_at(_MARGIN, at, words, 8.5, colour, 0.8 * wide, least=7)
            _rule(sheet, max(columns[2], min(sheet.width_of(words, 8.5) + 4, 0.82 * wide)), at, rule, wide)
    return y + _ROW * (len(rows) + 1) + 1


def _rule(sheet: _Sheet, x: float, y: float, rule: str, wide: float) -> None:
    """The article of a rule: one line, or two small ones in the same row."""
    if not rule:
        return
    if sheet.width_of(rule, 7) <= wide - x:
        sheet.write_at(_MARGIN + x, y, rule, 7, _DIM)
        return
    for place, line in enumerate(sheet.broken(rule, 6, wide - x, 2)):
        sheet.write_at(_MARGIN + x, y - 0.5 + 2.4 * place, line, 6, _DIM, wide - x)


def _verdict(sheet: _Sheet, record: Mapping[str, Any], y: float, wide: float) -> None:
    verdict, score = record["verdict"], record["score"]
    if verdict is None:
        good = score["legal"]
        words = sheet.both(f"Total {score['total']}", f"共{score['total']}")
        if not good:
            words = sheet.both("No win", "不成和牌")
        colour = _GREEN if good else _RED
        has, minimum = score["toward_minimum"], score["minimum"]
        detail = sheet.both(f"{has} toward the minimum of {minimum}", f"起和{minimum}，計{has}")
    else:
        says, stands = verdict["says"], verdict["stands"]
        words = sheet.both(says["en"], says["zh"])
        colour = _GREEN if verdict["verdict"] == "valid" else _RED if verdict["verdict"] in _FALSE else _INK
        detail = sheet.both(f"what stands: {stands['total']}", f"有效：{stands['total']}")
        detail += f"     {sheet.both('minimum', '起和')} {verdict['minimum']}"
        looks = [
            f"{', '.join(str(place + 1) for place in entry['tiles'])}: {entry['detail']}"
            for entry in verdict["look_at"]
            if entry["matters"]
        ]
        if looks:
            detail = sheet.both("Look again at tile", "請再看第幾張") + f" {looks[0]}"
        elif verdict["depends"]:
            detail = sheet.both("Depends on:", "取決於：") + f" {', '.join(verdict['depends'])}"
    sheet.set_draw_color(*colour)
    sheet.set_line_width(0.5)
    sheet.rect(_MARGIN, y, wide, 15)
    sheet.set_line_width(0.2)
    sheet.write_at(_MARGIN + 4, y + 2, words, 14, colour, wide - 8)
    sheet.write_at(_MARGIN + 4, y + 9.3, detail, 9, _INK, wide - 8, least=6)


def _sign(sheet: _Sheet, record: Mapping[str, Any], wide: float) -> None:
    y = sheet.h - _MARGIN - 38
    note = sheet.both("Signed after the hand was laid open and before it was taken up", "攤牌後、收牌前簽署")
    sheet.write_at(_MARGIN, y - 1, note, 7.5, _DIM, wide)
    each = wide / len(_SIGN)
    sheet.set_draw_color(60)
    # Nobody discarded a tile that the winner drew.
    drawn = record["declared"]["context"].get("win") == "self_draw"
    people = [_SIGN[2] if drawn and entry[2] == "discarder" else entry for entry in _SIGN]
    for place, (en, zh, key) in enumerate(people):
        x = _MARGIN + place * each
        sheet.line(x + 1, y + 20, x + each - 3, y + 20)
        sheet.write_at(x + 1, y + 21.5, sheet.both(en, zh), 8, _INK, each - 4)
        name = record["place"].get(key, "") if key else ""
        sheet.write_at(x + 1, y + 25.5, name, 8, _DIM, each - 4, least=5)


def _foot(sheet: _Sheet, record: Mapping[str, Any], digest: str, wide: float) -> None:
    y = sheet.h - _MARGIN - 6
    software, model = record["made"]["software"], record["model"]
    lines = (
        f"bundle sha256 {digest}",
        f"photo sha256 {record['photo']['sha256']}",
        f"{software['name']} {software['version']}   model {model.get('name', '')} "
        f"{str(model.get('sha256', ''))[:16]}   rules {record['rules']['id']} "
        f"{record['rules']['sha256'][:16]}",
    )
    if not sheet.chinese:
        lines = (*lines[:2], f"{lines[2]}   (no font with Chinese characters)")
    for place, text in enumerate(lines):
        sheet.write_at(_MARGIN, y + 3.1 * place, text, 6.5, _DIM, wide)
