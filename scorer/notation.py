"""Reading tiles written by people: this project's notation, Unicode tiles, Chinese names and common foreign
forms.

Foreign forms are taken only where they can mean one thing. `B` is the hard one: in English lists `1B` is
bamboo beside
`1D` and `1C`; in Chinese computer play `B1` is a dot (餅) beside `W1` and `T1`. Digit first is therefore read
as English,
letter first as Chinese, and a text that mixes the two alphabets so that `B` could be either is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from scorer.errors import NotationError
from scorer.tiles import _BY_CODE, ALL_TILES, Tile

__all__ = ["read_tile", "read_tiles"]

_DIGITS_ZH = {zh: digit for digit, zh in enumerate("一二三四五六七八九", start=1)} | {"伍": 5}
_SUITS_ZH = {"萬": "m", "万": "m", "筒": "p", "餅": "p", "饼": "p", "索": "s", "條": "s", "条": "s"}
_WORDS_ZH = {
    "東": "1z", "东": "1z", "南": "2z", "西": "3z", "北": "4z",
    "白": "5z", "發": "6z", "发": "6z", "中": "7z",
    "梅": "1f", "蘭": "2f", "兰": "2f", "菊": "3f", "竹": "4f",
    "春": "5f", "夏": "6f", "秋": "7f", "冬": "8f",
    "貓": "1a", "猫": "1a", "鼠": "2a", "雞": "3a", "鸡": "3a", "蜈": "4a",
}  # fmt: skip
# Second characters that some writers add to a one-character name; they say nothing new.
_FILLERS_ZH = {"蜈": "蚣", "白": "板", "發": "財", "发": "财", **dict.fromkeys("東东南西北", "風风")}

_UNICODE = {
    chr(0x1F000 + offset): code
    for offset, code in enumerate(
        ["1z", "2z", "3z", "4z", "7z", "6z", "5z"]
        + [f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)]
        # Unicode puts bamboo before chrysanthemum; the notation follows the order of the seats' flowers.
        + ["1f", "2f", "4f", "3f", "5f", "6f", "7f", "8f"]
    )
} | {chr(0x1F02B): "0x"}
_VARIATION = "\ufe0e\ufe0f"

_LETTERS = {"E": "1z", "S": "2z", "W": "3z", "N": "4z", "C": "7z", "F": "6z", "P": "5z"}
_DIGIT_FIRST = {"M": "m", "P": "p", "S": "s", "Z": "z", "A": "a", "X": "x", "D": "p", "C": "m", "W": "m"}
_LETTER_FIRST = {"W": "m", "T": "s", "B": "p"}
_LETTER_FIRST_AMBIGUOUS = {
    "F": "F with a digit is a wind in one common form and a flower in another; write 1z-4z or 1f-8f",
    "S": "S with a digit is a season in one common form and bamboo in another; write 5f-8f or 1s-9s",
    "C": "C with a digit after it is no settled form; write 1m-9m",
    "D": "D with a digit after it is a dot in one common form and a dragon in another; write 1p-9p or 5z-7z",
}


@dataclass(frozen=True, slots=True)
class _Source:
    """The text being read and what its letters tell about the alphabet it is written in."""

    text: str
    english: bool  # a digit-first D or C occurs: B after a digit is bamboo beside them
    chinese: bool  # a W or T with a digit occurs: B may be 餅

    def fail(self, detail: str, position: int) -> NotationError:
        return NotationError(detail, self.text, position)


def read_tile(text: str) -> Tile:
    """The one tile that `text` names. Raises NotationError for none, several, or an ambiguous name."""
    found = read_tiles(text)
    if len(found) != 1:
        detail = "no tile here" if not found else f"one tile was expected, here are {len(found)}"
        raise NotationError(detail, text, found[1][1] if len(found) > 1 else 0)
    return found[0][0]


def read_tiles(text: str, start: int = 0, end: int | None = None) -> list[tuple[Tile, int]]:
    """The tiles in `text[start:end]` in order, each with its offset in the whole text.

    Blanks and commas may stand between tiles. Raises NotationError naming the offset of what cannot be read.
    """
    stop = len(text) if end is None else end
    source: _Source | None = None
    found: list[tuple[Tile, int]] = []
    at = start
    while at < stop:
        char = text[at]
        if char.isspace() or char == "," or char in _VARIATION:
            at += 1
        elif "0" <= char <= "9":
            after = at
            while after < stop and "0" <= text[after] <= "9":
                after += 1
            if after == stop:
                raise NotationError("digits without a suit letter", text, at)
            suit = text[after]
            if suit not in "mpszfa":
                source = source or _survey(text)
                suit = _suit_after_digits(source, suit, at, after)
            for place in range(at, after):
                found.append((_coded(text, text[place] + suit, place), place))
            at = after + 1
        else:
            source = source or _survey(text)
            at = _read_foreign(source, at, stop, found)
    return found


def _coded(text: str, code: str, position: int) -> Tile:
    tile = _BY_CODE.get(code)
    if tile is None:
        raise NotationError(f"there is no tile {code}", text, position)
    return tile


def _survey(text: str) -> _Source:
    english = chinese = False
    for before, after in pairwise(text):
        english = english or ("0" <= before <= "9" and after in "DC")
        chinese = (
            chinese or ("0" <= before <= "9" and after in "WT") or (before in "WT" and "0" <= after <= "9")
        )
    return _Source(text, english, chinese)


def _suit_after_digits(source: _Source, letter: str, at: int, after: int) -> str:
    if letter in _SUITS_ZH:
        return _SUITS_ZH[letter]
    if letter == "x":
        return "x"
    if letter == "B":
        if source.chinese and not source.english:
            raise source.fail(
                "B is bamboo in English lists and a dot (餅) beside W and T; write 1s or 1p", after
            )
        return "s"
    if letter == "T":
        raise source.fail("T after a digit may be 筒 (dots) or 條 (bamboo); write 1p or 1s", after)
    if letter == "F":
        raise source.fail("F after a digit may be a wind (風) or a flower; write 1z or 1f", after)
    if letter in _DIGIT_FIRST:
        return _DIGIT_FIRST[letter]
    raise source.fail(f"{letter!r} is no suit; suits are m p s z f a", after if letter.strip() else at)


def _read_foreign(source: _Source, at: int, stop: int, found: list[tuple[Tile, int]]) -> int:
    """Read one foreign name at `at`, append its tiles, and return where the next one starts."""
    text, char = source.text, source.text[at]
    if char in _UNICODE:
        found.append((_BY_CODE[_UNICODE[char]], at))
        return at + 1
    if char in _DIGITS_ZH:
        after = at
        while after < stop and text[after] in _DIGITS_ZH:
            after += 1
        if after == stop or text[after] not in _SUITS_ZH:
            raise source.fail("Chinese digits without 萬, 筒 or 索", at)
        for place in range(at, after):
            found.append((_BY_CODE[f"{_DIGITS_ZH[text[place]]}{_SUITS_ZH[text[after]]}"], place))
        return after + 1
    if char in "紅红" and text[at + 1 : at + 2] == "中" and at + 1 < stop:
        found.append((_BY_CODE["7z"], at))
        return at + 2
    if char in _WORDS_ZH:
        found.append((_BY_CODE[_WORDS_ZH[char]], at))
        filler = _FILLERS_ZH.get(char, "")
        return at + 2 if at + 1 < stop and text[at + 1] in filler else at + 1
    if at + 1 < stop and "0" <= text[at + 1] <= "9" and char.isalpha():
        return _read_letter_first(source, at, stop, found)
    if char in _LETTERS:
        found.append((_BY_CODE[_LETTERS[char]], at))
        return at + 1
    if char in "BD":
        raise source.fail(f"{char} alone may be several tiles; honours are E S W N C F P or 1z-7z", at)
    raise source.fail(f"{char!r} is not part of a tile", at)


def _read_letter_first(source: _Source, at: int, stop: int, found: list[tuple[Tile, int]]) -> int:
    letter = source.text[at]
    if letter in _LETTER_FIRST_AMBIGUOUS:
        raise source.fail(_LETTER_FIRST_AMBIGUOUS[letter], at)
    if letter not in _LETTER_FIRST:
        raise source.fail(
            f"{letter!r} before a digit is no suit; known are W1 (characters), T1 (bamboo), B1 (dots)", at
        )
    after = at + 2
    if after < stop and (source.text[after].isdigit() or source.text[after] in "mpszfaxMPSZFAX"):
        # "W12" or "E1m": where the letter-first form ends cannot be told.
        raise source.fail("a letter-first tile is one letter and one digit, set apart from the next", at)
    if letter == "B" and source.english:
        raise source.fail("B is bamboo beside D and C, but a dot (餅) before a digit; write 1s or 1p", at)
    found.append((_coded(source.text, source.text[at + 1] + _LETTER_FIRST[letter], at + 1), at))
    return after


if len(_UNICODE) != len(ALL_TILES) - 4:  # every face but the animals has a code point
    raise AssertionError("the Unicode table does not cover the tiles")
