"""The arrows between the rooms, read from the syntax tree: ``api -> vision -> scorer``."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("vision", "scorer", "api")
RECIPES = ("models", "datasets")
MAX_LINES = 450
MAX_RECIPE_LINES = 600  # a recipe runs as one file

# The one crossing from pixels to mahjong: tiles and hands, and whether a hand can exist; nothing that scores.
TYPE_MODULES = {f"scorer.{name}" for name in ("tiles", "melds", "hand", "notation", "errors")}
TYPE_NAMES = {"ALL_TILES", "Hand", "Meld", "MeldKind", "NotationError", "ScorerError", "Tile"}
TYPE_NAMES |= {"HandProblem", "check", "problems_of"}
# Imported by one adapter each, which says so where its extra is not installed.
OPTIONAL = {"pi_heif": "vision/heif.py", "ray": "api/cluster.py"}
TRAINING = {"torch", "torchvision", "ultralytics"}
PIXELS = {"cv2", "numpy", "onnxruntime", "PIL"}
# Imported names that differ from the distribution that is declared, or come as another's public face.
DECLARED_AS = {
    "cv2": "opencv-python-headless",
    "PIL": "pillow",
    "fpdf": "fpdf2",
    "h11": "uvicorn",
    "pydantic": "fastapi",
    "python_multipart": "python-multipart",
    "starlette": "fastapi",
}
# The scorer is a function of its arguments: no files, network, processes, clock or chance.
OUTSIDE = {
    "asyncio", "datetime", "glob", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random",
    "secrets", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: ``from module import name``, or ``import module`` with an empty name."""

    module: str
    name: str
    line: int

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    def is_from(self, *tops: str) -> bool:
        return self.top in tops

    def __str__(self) -> str:
        return f"line {self.line}: {self.module}{'.' + self.name if self.name else ''}"


def imports_of(source: str, package: str = "") -> Iterator[Import]:
    """All imports, also those inside functions; relative ones are resolved against ``package``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, "", node.lineno)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                parents = package.split(".")
                parents = parents[: len(parents) - node.level + 1]
                module = ".".join([*parents, *([module] if module else [])])
            for alias in node.names:
                yield Import(module, alias.name, node.lineno)


def takes_only_types(item: Import) -> bool:
    if item.module == "scorer":
        return item.name in TYPE_NAMES or f"scorer.{item.name}" in TYPE_MODULES
    return item.module in TYPE_MODULES


def modules_of(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports_in(path: Path) -> list[Import]:
    return list(imports_of(path.read_text(encoding="utf-8"), ".".join(path.relative_to(ROOT).parent.parts)))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def require_none(path: Path, wrong: list[Import], rule: str) -> None:
    assert not wrong, f"{named(path)}: {rule}: {'; '.join(map(str, wrong))}"


@pytest.mark.parametrize("path", modules_of("scorer"), ids=named)
def test_scorer_is_pure_standard_library(path: Path) -> None:
    allowed = (sys.stdlib_module_names - OUTSIDE) | {"scorer"}
    require_none(path, [i for i in imports_in(path) if i.top not in allowed], "scorer is pure Python, no I/O")


@pytest.mark.parametrize("path", modules_of("vision"), ids=named)
def test_vision_takes_only_tiles_and_hands_from_scorer(path: Path) -> None:
    found = imports_in(path)
    require_none(path, [i for i in found if i.is_from("api")], "vision does not know api")
    wrong = [i for i in found if i.is_from("scorer") and not takes_only_types(i)]
    require_none(path, wrong, "vision uses only scorer's tile and hand types")


@pytest.mark.parametrize("path", modules_of("api"), ids=named)
def test_api_holds_no_pixels(path: Path) -> None:
    require_none(path, [i for i in imports_in(path) if i.is_from(*PIXELS)], "pixels belong to vision")


@pytest.mark.parametrize("path", modules_of("vision", "scorer", *RECIPES), ids=named)
def test_nothing_imports_api(path: Path) -> None:
    require_none(path, [i for i in imports_in(path) if i.is_from("api")], "only people and machines use api")


@pytest.mark.parametrize("path", modules_of(*ROOMS), ids=named)
def test_training_framework_stays_in_its_adapter(path: Path) -> None:
    if path.parent.name == "vision" and "ultralytics" in path.stem:
        return
    require_none(path, [i for i in imports_in(path) if i.is_from(*TRAINING)], "belongs to the extra `train`")


@pytest.mark.parametrize("path", modules_of(*ROOMS), ids=named)
def test_what_is_imported_is_declared(path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in project["dependencies"]}
    ours = {*ROOMS, *TRAINING} | sys.stdlib_module_names
    foreign = [i for i in imports_in(path) if i.top not in ours and OPTIONAL.get(i.top) != named(path)]
    wrong = [i for i in foreign if DECLARED_AS.get(i.top, i.top.replace("_", "-")) not in declared]
    require_none(path, wrong, "not among the dependencies of pyproject.toml")


@pytest.mark.parametrize("path", modules_of(*ROOMS), ids=named)
def test_no_room_imports_recipes_or_tests(path: Path) -> None:
    wrong = [i for i in imports_in(path) if i.is_from("tests", *RECIPES)]
    require_none(path, wrong, "tests and recipes are not shipped")


@pytest.mark.parametrize("path", modules_of(*ROOMS, *RECIPES, "tests"), ids=named)
def test_modules_stay_readable(path: Path) -> None:
    most = MAX_RECIPE_LINES if path.relative_to(ROOT).parts[0] in RECIPES else MAX_LINES
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= most, f"{named(path)} has {lines} lines; split it (at most {most})"


@pytest.mark.parametrize("folder", RECIPES)
def test_recipes_are_not_packages(folder: str) -> None:
    found = [named(path) for path in (ROOT / folder).rglob("__init__.py")]
    assert not found, f"{found}: a package named {folder} would hide, or be hidden by, others of that name"


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_typed_packages(room: str) -> None:
    assert (ROOT / room / "__init__.py").is_file()
    assert (ROOT / room / "py.typed").is_file(), f"{room}/py.typed tells users that the types are meant"


# The test of the tests: what they are to catch, and near misses.


@pytest.mark.parametrize(
    ("source", "package", "expected"),
    [
        ("import os.path", "scorer", ("os.path", "")),
        ("from scorer import score", "vision", ("scorer", "score")),
        ("def f():\n    import torch", "vision", ("torch", "")),
        ("from . import tiles", "scorer", ("scorer", "tiles")),
        ("from .fan import Fan", "scorer.rulesets", ("scorer.rulesets.fan", "Fan")),
        ("from ..fan import Fan", "scorer.rulesets", ("scorer.fan", "Fan")),
    ],
)
def test_imports_are_found(source: str, package: str, expected: tuple[str, str]) -> None:
    assert [(item.module, item.name) for item in imports_of(source, package)] == [expected]


@pytest.mark.parametrize(
    ("source", "fine"),
    [
        ("from scorer import Tile, Hand", True),
        ("from scorer.tiles import ALL_TILES", True),
        ("from scorer import tiles", True),
        ("from scorer import score", False),
        ("from scorer.engine import score", False),
        ("from scorer.tiles_of_another import Tile", False),
        ("import scorer", False),
    ],
)
def test_types_are_told_from_scoring(source: str, fine: bool) -> None:
    assert all(takes_only_types(item) for item in imports_of(source)) is fine
