"""The tiles of mahjong: 34 suit and honour tiles, 8 flowers, 4 animals and the back of a tile.

A tile is written as a digit and a letter: `1m`-`9m` characters, `1p`-`9p` dots, `1s`-`9s` bamboo, `1z`-`4z`
winds
(east south west north), `5z 6z 7z` dragons (white green red), `1f`-`4f` flowers, `5f`-`8f` seasons, `1a`-`4a`
animals, `0x` a tile that lies face down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

__all__ = [
    "ALL_TILES", "BACK", "DRAGONS", "KINDS", "SUITS", "WINDS", "Tile", "counts_of", "in_order", "spell",
]  # fmt: skip

#: The letters of the suits in class order, with how many tiles each holds.
SUITS: tuple[tuple[str, int], ...] = (("m", 9), ("p", 9), ("s", 9), ("z", 7), ("f", 8), ("a", 4), ("x", 1))

#: How many kinds of tile can stand in a hand (suits and honours); their indices are 0-33.
KINDS = 34

_CODES: tuple[str, ...] = tuple(
    f"{rank if suit != 'x' else 0}{suit}" for suit, size in SUITS for rank in range(1, size + 1)
)
_SUIT_OF: tuple[str, ...] = tuple(code[1] for code in _CODES)
_RANK_OF: tuple[int, ...] = tuple(int(code[0]) for code in _CODES)

_DIGITS_EN = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_DIGITS_ZH = "一二三四五六七八九"
_SUIT_NAMES = {"m": ("Characters", "萬"), "p": ("Dots", "筒"), "s": ("Bamboo", "索")}
_OTHER_NAMES: dict[str, tuple[str, str]] = {
    "1z": ("East Wind", "東"), "2z": ("South Wind", "南"),
    "3z": ("West Wind", "西"), "4z": ("North Wind", "北"),
    "5z": ("White Dragon", "白"), "6z": ("Green Dragon", "發"), "7z": ("Red Dragon", "中"),
    "1f": ("Plum", "梅"), "2f": ("Orchid", "蘭"),
    "3f": ("Chrysanthemum", "菊"), "4f": ("Bamboo Flower", "竹"),
    "5f": ("Spring", "春"), "6f": ("Summer", "夏"), "7f": ("Autumn", "秋"), "8f": ("Winter", "冬"),
    "1a": ("Cat", "貓"), "2a": ("Mouse", "鼠"), "3a": ("Rooster", "雞"), "4a": ("Centipede", "蜈蚣"),
    "0x": ("Face-down Tile", "牌背"),
}  # fmt: skip


def _name_of(code: str) -> tuple[str, str]:
    if code in _OTHER_NAMES:
        return _OTHER_NAMES[code]
    rank, (english, chinese) = int(code[0]), _SUIT_NAMES[code[1]]
    return f"{_DIGITS_EN[rank - 1]} of {english}", f"{_DIGITS_ZH[rank - 1]}{chinese}"


_NAMES: tuple[tuple[str, str], ...] = tuple(_name_of(code) for code in _CODES)


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Tile:
    """One tile face. `index` is its place in `ALL_TILES` (0-46): tiles compare and sort in that order.

    >>> Tile.parse("3p"), Tile.parse("🀛"), Tile.parse("三筒")
    (3p, 3p, 3p)
    >>> Tile.parse("7z").name_en
    'Red Dragon'
    """

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < len(_CODES):
            raise ValueError(f"a tile index is 0-{len(_CODES) - 1}, not {self.index}")

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile that `text` names, in the project's notation or any accepted foreign form.

        Raises NotationError when the text is no tile, more than one, or could mean two different tiles.
        """
        found = _BY_CODE.get(text)
        if found is not None:
            return found
        # Here and not above: the reader of foreign forms is itself built from the tiles defined in this
        # module.
        from scorer.notation import read_tile

        return read_tile(text)

    @property
    def code(self) -> str:
        """The tile in notation, such as `3p`."""
        return _CODES[self.index]

    @property
    def suit(self) -> str:
        """`m`, `p`, `s`, `z` (honours), `f` (flowers and seasons), `a` (animals) or `x` (face down)."""
        return _SUIT_OF[self.index]

    @property
    def rank(self) -> int:
        """The digit of the notation; 0 for a face-down tile."""
        return _RANK_OF[self.index]

    @property
    def is_bonus(self) -> bool:
        """Flowers, seasons and animals: set aside and replaced, never part of a set."""
        return self.suit in "fa"

    @property
    def is_back(self) -> bool:
        """A tile that lies face down."""
        return self.suit == "x"

    @property
    def is_honour(self) -> bool:
        """A wind or a dragon."""
        return self.suit == "z"

    @property
    def is_suited(self) -> bool:
        """A number tile: characters, dots or bamboo."""
        return self.index < 27

    @property
    def is_terminal(self) -> bool:
        """The one or the nine of a suit."""
        return self.is_suited and self.rank in (1, 9)

    @property
    def name_en(self) -> str:
        """English name, such as `Three of Dots`."""
        return _NAMES[self.index][0]

    @property
    def name_zh(self) -> str:
        """Chinese name, such as `三筒`."""
        return _NAMES[self.index][1]

    def __str__(self) -> str:
        return _CODES[self.index]

    def __repr__(self) -> str:
        return _CODES[self.index]


#: Every face in class order: 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f 1a-4a 0x.
ALL_TILES: tuple[Tile, ...] = tuple(Tile(index) for index in range(len(_CODES)))
_BY_CODE: dict[str, Tile] = {tile.code: tile for tile in ALL_TILES}

#: East, south, west, north.
WINDS: tuple[Tile, ...] = ALL_TILES[27:31]
#: White, green, red.
DRAGONS: tuple[Tile, ...] = ALL_TILES[31:34]
#: A tile that lies face down.
BACK: Tile = ALL_TILES[46]


_BY_INDEX = attrgetter("index")


def in_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Tiles in class order, the order in which they compare."""
    return tuple(sorted(tiles, key=_BY_INDEX))


def counts_of(tiles: Iterable[Tile]) -> tuple[int, ...]:
    """How many there are of each of the 34 kinds. Bonus and face-down tiles are left out."""
    counts = [0] * len(_CODES)
    for tile in tiles:
        counts[tile.index] += 1
    return tuple(counts[:KINDS])


def spell(tiles: Iterable[Tile]) -> str:
    """Tiles in notation, neighbours of one suit sharing its letter.

    >>> spell([Tile.parse(t) for t in ("1m", "2m", "3m", "5z", "5z")])
    '123m55z'
    """
    parts: list[str] = []
    last = ""
    for tile in tiles:
        code = _CODES[tile.index]
        if code[1] == last:
            parts[-1] = code[0]
        else:
            parts.append(code[0])
        last = code[1]
        parts.append(last)
    return "".join(parts)
