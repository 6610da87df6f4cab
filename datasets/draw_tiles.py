"""Draw the project's own tile faces as one SVG file: `api/page/tiles.svg`, a symbol a tile.

Every face is drawn by the project, stroke by stroke: no font and no foreign picture; `brush.py` writes the characters.
A face is 300 x 400 units. The file also serves as a picture: opened by itself it shows the whole set.

The page, overlays and sheets take a face by its id, `t-` and the tile's notation: `<use href="#t-1m"/>`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable
from pathlib import Path

from brush import Point, character, curve

WIDE, HIGH = 300, 400
RED, GREEN, BLUE, INK = "#c2242f", "#16774a", "#1f4fa3", "#26303d"
COLOURS = {"r": RED, "g": GREEN, "b": BLUE}
IVORY = "#fbf8ef"
#: Lengths of the sticks of bamboo.
STICKS = (112, 164, 250, 290)


def number(value: float) -> str:
    return f"{value:.0f}"


def path(data: str, fill: str) -> str:
    return f'<path fill="{fill}" d="{data}"/>'


def disc(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"/>'


def ring(x: float, y: float, radius: float, colour: str, wide: float) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="none" stroke="{colour}" '
        f'stroke-width="{number(wide)}"/>'
    )


def around(count: int, radius: float, turn: float = 0.0, x: float = 0.0, y: float = 0.0) -> list[Point]:
    return [
        (x + radius * math.sin(math.radians(turn + 360 * i / count)), y - radius * math.cos(math.radians(turn + 360 * i / count)))
        for i in range(count)
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------ the suits


def shared() -> dict[str, str]:
    """What many faces have in common, drawn once: id -> drawing about the origin, or in place."""
    parts = {"t-wan": path(character("萬", 52, 192, 196, 190), RED)}
    for letter, colour in COLOURS.items():
        parts[f"t-d{letter}"] = dot(60, colour)
        parts |= {f"t-{letter}{long}": stick(long, colour) for long in STICKS}
    return parts


def characters(rank: int) -> str:
    name = "一二三四五六七八九"[rank - 1]
    return path(character(name, 58, 18, 184, 156), INK) + '<use href="#t-wan"/>'


def dot(radius: float, colour: str) -> str:
    spokes = "".join(
        f"M{number(px)} {number(py)}l{number(qx - px)} {number(qy - py)}"
        for (px, py), (qx, qy) in zip(around(8, radius * 0.4), around(8, radius * 0.66), strict=True)
    )
    return (
        disc(0, 0, radius, colour)
        + ring(0, 0, radius * 0.76, IVORY, radius * 0.12)
        + f'<path stroke="{IVORY}" stroke-width="{number(radius * 0.13)}" d="{spokes}"/>'
        + disc(0, 0, radius * 0.25, IVORY)
    )


def dots(rank: int) -> str:
    if rank == 1:
        petals = [
            f'<ellipse cx="150" cy="120" rx="17" ry="34" fill="{RED}" transform="rotate({angle} 150 200)"/>'
            for angle in range(0, 360, 45)
        ]
        return (
            ring(150, 200, 118, GREEN, 18)
            + ring(150, 200, 98, GREEN, 5)
            + "".join(petals).replace('cy="120"', 'cy="140"')
            + disc(150, 200, 34, GREEN)
            + disc(150, 200, 20, IVORY)
            + disc(150, 200, 10, RED)
        )
    left, middle, right = 82, 150, 218
    places: dict[int, list[tuple[float, float, str]]] = {
        2: [(middle, 106, "g"), (middle, 294, "b")],
        3: [(76, 82, "b"), (middle, 200, "r"), (224, 318, "g")],
        4: [(left, 100, "b"), (right, 100, "g"), (left, 300, "g"), (right, 300, "b")],
        5: [(76, 82, "b"), (224, 82, "g"), (middle, 200, "r"), (76, 318, "g"), (224, 318, "b")],
        6: [(x, y, c) for y, c in ((72, "g"), (208, "r"), (326, "r")) for x in (left, right)],
        7: [(58, 56, "g"), (150, 98, "g"), (242, 140, "g")]
        + [(x, y, "r") for y in (238, 340) for x in (left + 4, right - 4)],
        8: [(x, y, "b") for y in (56, 152, 248, 344) for x in (left, right)],
        9: [(x, y, c) for y, c in ((70, "b"), (200, "r"), (330, "g")) for x in (54, 150, 246)],
    }
    radius = {2: 86, 3: 66, 4: 64, 5: 60, 6: 57, 7: 46, 8: 46, 9: 46}[rank]
    return "".join(
        f'<use href="#t-d{c}" transform="translate({x} {y}) scale({radius / 60:.2f})"/>'
        for x, y, c in places[rank]
    )


def stick(long: float, colour: str) -> str:
    """One stick of bamboo about the origin, `long` units from end to end."""
    end = round(long / 2)
    outer = (
        f"M-15 {10 - end}C-25 {-end - 4} 25 {-end - 4} 15 {10 - end}L15 -10C24 -10 24 10 15 10L15 {end - 10}"
        f"C25 {end + 4} -25 {end + 4} -15 {end - 10}L-15 10C-24 10 -24 -10 -15 -10z"
    )
    return (
        path(outer, colour)
        + f'<path stroke="{IVORY}" stroke-width="7" stroke-linecap="round" d="M0 {15 - end}V-19M0 19V{end - 15}"/>'
    )


def placed(x: float, y: float, long: int, colour: str, lean: float = 0.0) -> str:
    turn = f" rotate({lean})" if lean else ""
    return f'<use href="#t-{colour}{long}" transform="translate({x} {y}){turn}"/>'


def bamboo(rank: int) -> str:
    if rank == 1:
        return bird()
    three = (64, 150, 236)
    sticks: dict[int, list[tuple[float, float, int, str, float]]] = {
        2: [(150, 106, 164, "g", 0), (150, 294, 164, "b", 0)],
        3: [(150, 106, 164, "g", 0), (80, 294, 164, "b", 0), (220, 294, 164, "b", 0)],
        4: [(x, y, 164, c, 0) for x, y, c in ((80, 106, "g"), (220, 106, "b"), (80, 294, "b"), (220, 294, "g"))],
        5: [(x, y, 164, c, 0) for x, y, c in ((60, 106, "g"), (240, 106, "b"), (60, 294, "b"), (240, 294, "g"))]
        + [(150, 200, 164, "r", 0)],
        6: [(x, y, 164, c, 0) for y, c in ((106, "g"), (294, "b")) for x in three],
        7: [(150, 70, 112, "r", 0)] + [(x, y, 112, c, 0) for y, c in ((202, "g"), (332, "b")) for x in three],
        8: [(x, y, 164, c, lean) for x, y, c, lean in (
            (42, 104, "g", 0), (258, 104, "g", 0), (113, 116, "g", 36), (187, 116, "g", -36),
            (42, 296, "b", 0), (258, 296, "b", 0), (113, 284, "b", -36), (187, 284, "b", 36))],
        9: [(x, y, 112, c, 0) for y, c in ((68, "g"), (200, "r"), (332, "b")) for x in three],
    }  # fmt: skip
    return "".join(placed(*each) for each in sticks[rank])


def bird() -> str:
    """The bird of the 1 of bamboo: a peacock, head to the left, its train behind it."""
    train = "".join(
        f'<g transform="rotate({angle} 150 250)"><path fill="{GREEN}" d="M142 240C128 170 126 90 150 58C174 90 172 170 158 240z"/>'
        f'<ellipse cx="150" cy="92" rx="13" ry="18" fill="{IVORY}"/><ellipse cx="150" cy="92" rx="7" ry="11" fill="{RED}"/></g>'
        for angle in (-4, 26, 56)
    )
    body = path("M62 138C58 112 82 98 100 112C118 126 112 152 118 176C128 206 172 214 196 236C214 256 204 300 168 306C116 314 82 270 88 214C90 190 84 176 76 164L46 158C52 150 58 148 62 138z", BLUE)  # fmt: skip
    wing = path("M112 218C134 206 176 222 190 250C172 276 132 272 112 218z", GREEN)
    legs = f'<path stroke="{RED}" stroke-width="10" stroke-linecap="round" fill="none" d="M130 304l-10 52m-22 4l22-4 16 10M164 306l6 48m-18 6l18-6 18 8"/>'  # fmt: skip
    crest = f'<path stroke="{RED}" stroke-width="8" stroke-linecap="round" d="M84 104l-14-34M90 102l4-38"/>'
    return f'<g transform="translate(2 -4)">{train}{body}{wing}{legs}{crest}{disc(80, 128, 7, IVORY)}</g>'


# ----------------------------------------------------------------------------------------------- the honours


def honour(rank: int) -> str:
    if rank == 5:  # framed, so that it is neither a blank nor a back
        return (
            f'<rect x="42" y="44" width="216" height="312" rx="16" fill="none" stroke="{BLUE}" stroke-width="18"/>'
            f'<rect x="70" y="72" width="160" height="256" rx="8" fill="none" stroke="{BLUE}" stroke-width="6"/>'
        )
    name, colour = {
        1: ("東", INK),
        2: ("南", INK),
        3: ("西", INK),
        4: ("北", INK),
        6: ("發", GREEN),
        7: ("中", RED),
    }[rank]
    if rank == 7:
        return path(character(name, 48, 52, 204, 296), colour)
    return path(character(name, 32, 66, 236, 268), colour)


# ------------------------------------------------------------------------------------------------ the bonus


def petals(count: int, x: float, y: float, reach: float, wide: float, colour: str, turn: float = 0.0) -> str:
    one = f'<ellipse cx="{number(x)}" cy="{number(y - reach * 0.6)}" rx="{number(wide)}" ry="{number(reach * 0.44)}" '
    return f'<g fill="{colour}">' + "".join(
        f'{one}transform="rotate({number(turn + 360 * i / count)} {number(x)} {number(y)})"/>' for i in range(count)
    ) + "</g>"  # fmt: skip


def index(rank: int, colour: str) -> str:
    """The number of a bonus tile, in the corner where its neighbours in a hand of cards leave it visible."""
    digits = {
        1: "M32 44l20-16V92",
        2: "M26 44C28 20 66 22 62 48C60 62 34 72 26 90H64",
        3: "M26 38C32 20 64 24 60 44C58 56 42 56 42 56C42 56 64 58 62 76C58 98 28 96 24 78",
        4: "M54 92V26L22 72H68",
    }
    return f'<path fill="none" stroke="{colour}" stroke-width="11" stroke-linecap="round" stroke-linejoin="round" d="{digits[rank]}"/>'  # fmt: skip


def flower(rank: int) -> str:
    branch = '<path fill="none" stroke="{0}" stroke-width="{1}" stroke-linecap="round" d="{2}"/>'
    if rank == 1:  # plum
        drawn = branch.format(
            "#6b4a34", 15, "M60 374C110 330 120 280 196 214M128 300C190 300 230 280 256 244"
        )
        for x, y, reach in ((172, 158, 96), (82, 256, 50), (244, 300, 50)):
            drawn += petals(5, x, y, reach, reach * 0.34, "#d8436b") + disc(x, y, reach * 0.2, "#f4c445")
    elif rank == 2:  # orchid
        leaves = (
            "M140 376C128 280 90 200 34 160M150 376C150 280 170 190 214 120M156 376C172 310 212 262 272 240"
        )
        drawn = branch.format(GREEN, 15, leaves)
        for x, y, reach in ((122, 148, 78), (216, 176, 66)):
            drawn += petals(3, x, y, reach, reach * 0.28, "#8a4fb5") + petals(
                2, x, y, reach * 0.9, reach * 0.24, "#b17fd4", 75
            )
            drawn += disc(x, y, reach * 0.16, "#f4c445")
    elif rank == 3:  # chrysanthemum
        drawn = branch.format(
            GREEN, 15, "M150 380V250M150 340C110 340 84 320 70 296M150 350C190 350 216 330 232 306"
        )
        drawn += petals(14, 158, 166, 112, 15, "#e09a1c") + petals(10, 158, 166, 74, 13, "#f4c445", 18)
        drawn += disc(158, 166, 17, "#b5651d")
    else:  # bamboo
        drawn = placed(112, 250, 250, "g") + placed(176, 220, 290, "g")
        leaf = "M0 0C18 -34 60 -44 96 -30C70 -4 34 10 0 0z"
        for x, y, turn in ((186, 120, 0), (186, 190, 34), (104, 170, 186), (104, 250, 160), (186, 270, 16)):
            drawn += f'<path fill="#2c9a5f" transform="translate({x} {y}) rotate({turn})" d="{leaf}"/>'
    return drawn + index(rank, RED)


def season(rank: int) -> str:
    name = "春夏秋冬"[rank - 5]
    colour = {5: "#2c8a4f", 6: "#c8392f", 7: "#b8711a", 8: "#2c5fa8"}[rank]
    drawn = path(character(name, 60, 110, 180, 176), colour)
    if rank == 5:  # a shoot
        drawn += '<path fill="#2c9a5f" d="M150 376C146 346 150 336 150 322C120 326 96 312 88 294C122 292 144 302 150 322C156 302 178 292 212 294C204 312 180 326 152 324z"/>'  # fmt: skip
    elif rank == 6:  # the sun
        rays = "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for (a, b), (c, d) in zip(around(9, 38, 0, 150, 338), around(9, 52, 0, 150, 338), strict=True))  # fmt: skip
        drawn += (
            disc(150, 338, 26, "#ee9b26")
            + f'<path stroke="#ee9b26" stroke-width="9" stroke-linecap="round" d="{rays}"/>'
        )
    elif rank == 7:  # a leaf
        drawn += '<path fill="#d9822b" d="M96 360C98 312 140 296 206 304C206 346 170 380 112 362z"/><path fill="none" stroke="#8f4f14" stroke-width="7" stroke-linecap="round" d="M82 374C112 348 140 334 172 324"/>'  # fmt: skip
    else:  # a flake of snow
        arms = "".join(
            f"M150 338L{number(a)} {number(b)}" for a, b in around(6, 44, 0, 150, 338)
        ) + "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for turn in (-24, 24) for (a, b), (c, d) in zip(around(6, 26, 0, 150, 338), around(6, 40, turn, 150, 338), strict=True))  # fmt: skip
        drawn += f'<path stroke="#4a90cf" stroke-width="9" stroke-linecap="round" d="{arms}"/>'
    return drawn + index(rank - 4, BLUE)


def animal(rank: int) -> str:
    if rank == 1:  # cat
        return (
            path("M76 176L66 66L130 110C144 106 158 106 172 110L236 66L226 176C246 250 206 292 150 292C94 292 54 250 76 176z", "#e08a2e")
            + path("M84 102L90 140L114 120zM216 102L210 140L186 120z", "#f6c9a0")
            + path("M110 236C110 262 130 272 150 272C170 272 190 262 190 236C176 224 124 224 110 236z", "#fbeedd")
            + disc(112, 186, 17, INK) + disc(188, 186, 17, INK) + disc(117, 180, 6, "#fff") + disc(193, 180, 6, "#fff")
            + path("M136 224H164L150 242z", RED)
            + f'<path fill="none" stroke="{INK}" stroke-width="7" stroke-linecap="round" d="M150 240C148 258 128 260 122 250M150 240C152 258 172 260 178 250M92 234L34 224M92 250L36 260M208 234L266 224M208 250L264 260"/>'
            + '<path fill="none" stroke="#b5611a" stroke-width="11" stroke-linecap="round" d="M150 116V146M124 122V142M176 122V142"/>'
            + path("M98 316C130 300 170 300 202 316L196 340C170 326 130 326 104 340z", RED) + disc(150, 336, 17, "#f4c445")
        )  # fmt: skip
    if rank == 2:  # mouse
        return (
            disc(80, 116, 52, "#8d97a5") + disc(220, 116, 52, "#8d97a5") + disc(80, 116, 31, "#f0b7bd") + disc(220, 116, 31, "#f0b7bd")
            + path("M150 120C214 120 240 172 232 224C224 276 182 318 150 336C118 318 76 276 68 224C60 172 86 120 150 120z", "#a9b2be")
            + disc(112, 206, 16, INK) + disc(188, 206, 16, INK) + disc(117, 201, 5, "#fff") + disc(193, 201, 5, "#fff")
            + disc(150, 322, 20, "#d8436b")
            + f'<path fill="none" stroke="{INK}" stroke-width="6" stroke-linecap="round" d="M112 290L48 276M116 306L56 318M188 290L252 276M184 306L244 318"/>'
            + '<path fill="none" stroke="#d98f98" stroke-width="11" stroke-linecap="round" d="M196 366C232 384 268 358 244 336"/>'
        )  # fmt: skip
    if rank == 3:  # rooster
        return (
            path("M176 206C226 200 250 140 232 82C286 118 290 240 228 292z", GREEN)
            + path("M196 216C236 190 254 150 262 112C296 190 262 270 214 296z", BLUE)
            + path("M82 128C96 92 148 96 152 142C156 184 196 200 226 232C240 290 196 326 150 326C96 326 62 282 70 220C74 188 76 160 82 128z", "#d9702b")
            + path("M84 120C70 104 76 78 94 84C96 60 122 60 124 80C144 68 158 92 146 116C128 96 102 100 84 120z", RED)
            + path("M82 142L36 156L80 172z", "#f4b92e") + path("M84 172C66 184 68 214 84 218C100 210 98 186 96 172z", RED)
            + path("M124 226C152 206 200 228 204 264C182 292 134 286 124 226z", "#a84c16")
            + disc(110, 136, 11, IVORY) + disc(108, 136, 6, INK)
            + '<path fill="none" stroke="#f4b92e" stroke-width="11" stroke-linecap="round" d="M128 326V366M104 372L128 364 150 374M176 324V364M154 370L176 362 200 372"/>'
        )  # fmt: skip
    # centipede: a body in rings, winding, with a pair of legs each
    spine = curve([(92, 96), (206, 118), (214, 190), (96, 214), (92, 290), (212, 322)], 5)
    legs, rings = "", ""
    for (ax, ay), (x, y), (bx, by) in zip(spine, spine[1:], spine[2:], strict=False):
        length = math.hypot(bx - ax, by - ay)
        nx, ny = -(by - ay) / length * 38, (bx - ax) / length * 38
        legs += f"M{number(x - nx)} {number(y - ny)}L{number(x + nx)} {number(y + ny)}"
        rings += disc(x, y, 22, "#a8442a" if len(rings) % 2 else "#c25a2e")
    return (
        f'<path stroke="#7a2e18" stroke-width="8" stroke-linecap="round" d="{legs}"/>'
        + rings
        + '<path fill="none" stroke="#7a2e18" stroke-width="8" stroke-linecap="round" d="M78 78C66 60 50 52 36 56M100 72C104 54 96 38 82 32"/>'
        + disc(88, 94, 32, RED) + disc(76, 86, 7, "#fff") + disc(98, 82, 7, "#fff")
        + '<path fill="none" stroke="#7a2e18" stroke-width="8" stroke-linecap="round" d="M212 322C236 330 250 350 252 368M212 322C232 318 254 324 270 340"/>'
    )  # fmt: skip


def back() -> str:
    diamonds = "".join(
        f"M{x} {y - 34}l26 34-26 34-26-34z"
        for row, y in enumerate(range(72, 360, 64))
        for x in ((70, 150, 230) if row % 2 == 0 else (110, 190))
    )
    return (
        '<rect x="18" y="18" width="264" height="364" rx="24" fill="#1d7f56"/>'
        '<rect x="32" y="32" width="236" height="336" rx="16" fill="none" stroke="#7fd0ac" stroke-width="5"/>'
        f'<path fill="none" stroke="#7fd0ac" stroke-width="5" d="{diamonds}"/>'
    )


# -------------------------------------------------------------------------------------------------- the file


def faces() -> dict[str, str]:
    """Every face by its notation."""
    drawn: dict[str, str] = {}
    for rank in range(1, 10):
        drawn |= {f"{rank}m": characters(rank), f"{rank}p": dots(rank), f"{rank}s": bamboo(rank)}
    drawn |= {f"{rank}z": honour(rank) for rank in range(1, 8)}
    drawn |= {f"{rank}f": flower(rank) if rank < 5 else season(rank) for rank in range(1, 9)}
    drawn |= {f"{rank}a": animal(rank) for rank in range(1, 5)}
    return drawn | {"0x": back()}


def order(codes: Iterable[str]) -> list[str]:
    return sorted(codes, key=lambda code: ("mpszfax".index(code[1]), code))


def sheet(drawn: dict[str, str], columns: int = 9) -> str:
    """The file: symbols, and after them a picture of all of them."""
    symbols, shown = [], []
    place = 0
    suit = ""
    for code in order(drawn):
        if suit and code[1] != suit:
            place = -(-place // columns) * columns
        suit = code[1]
        row, column = divmod(place, columns)
        place += 1
        symbols.append(f'<symbol id="t-{code}" viewBox="0 0 {WIDE} {HIGH}">{drawn[code]}</symbol>')
        shown.append(f'<use href="#b" x="{column * 320}" y="{row * 420}"/><use href="#t-{code}" x="{column * 320 + 21}" y="{row * 420 + 28}" width="258" height="344"/>')  # fmt: skip
    rows = -(-place // columns)
    blank = (
        f'<rect id="b" width="300" height="400" rx="36" fill="{IVORY}" stroke="#b9b29d" stroke-width="4"/>'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {columns * 320} {rows * 420}" width="{columns * 320}" height="{rows * 420}">'
    note = "<!-- Made by datasets/draw_tiles.py. Licence: that of the project. -->"
    parts = [
        f'<g id="{name}">{drawn}</g>' for name, drawn in shared().items() if f'"#{name}"' in "".join(symbols)
    ]
    return "\n".join([head, note, "<defs>", *parts, *symbols, blank, "</defs>", *shown, "</svg>", ""])


def icon() -> str:
    """The page's icon: the red dragon on felt, with the air around it that phones cut off."""
    tile = f'<rect x="17" y="13" width="30" height="40" rx="4.5" fill="#0a3325"/><rect x="17" y="11" width="30" height="39" rx="4.5" fill="{IVORY}"/>'
    face = f'<g transform="translate(18.5 12.5) scale(.09)">{honour(7)}</g>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><g id="icon">'
        f'<rect width="64" height="64" rx="14" fill="#12694a"/>{tile}{face}</g></svg>\n'
    )


def welcome() -> str:
    """What the page shows before there is a hand: five tiles, held like a fan, each 300 x 400 before it is turned."""
    codes, step, pivot = ("1p", "1s", "7z", "6z", "9m"), 266, 520
    drawn = faces()
    tile = (
        '<g id="b"><rect y="36" width="300" height="400" rx="39" fill="#178058"/>'
        '<rect y="18" width="300" height="400" rx="39" fill="#e8e0c9"/>'
        '<rect x="2" y="2" width="296" height="396" rx="37" fill="url(#g)" stroke="#c9bfa2" stroke-width="5"/></g>'
        '<linearGradient id="g" x2=".26" y2="1"><stop stop-color="#fffefa"/><stop offset="1" stop-color="#f4eede"/></linearGradient>'
    )  # fmt: skip
    shared_parts = shared()
    needed = "".join(
        f'<g id="{name}">{part}</g>'
        for name, part in shared_parts.items()
        if f'"#{name}"' in "".join(drawn[code] for code in codes)
    )
    placed = [
        f'<g transform="rotate({8 * (place - 2)} {step * (place - 2)} {pivot}) translate({step * (place - 2) - 150})">'
        f'<use href="#b"/><g transform="translate(21 28) scale(.86)">{drawn[code]}</g></g>'
        for place, code in enumerate(codes)
    ]
    middle = placed.pop(2)  # above its neighbours
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-832 -28 1664 520" width="1664" height="520">'
    note = "<!-- Made by datasets/draw_tiles.py. Licence: that of the project. -->"
    return "\n".join([head, note, f"<defs>{tile}{needed}</defs>", *placed, middle, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).resolve().parent.parent / "api" / "page"
    parser.add_argument("out", type=Path, nargs="?", default=default)
    args = parser.parse_args()
    for name, drawn in (("tiles.svg", sheet(faces())), ("icon.svg", icon()), ("welcome.svg", welcome())):
        (args.out / name).write_text(drawn, encoding="utf-8")
        print(f"{name}: {len(drawn.encode())} bytes")


if __name__ == "__main__":
    main()
