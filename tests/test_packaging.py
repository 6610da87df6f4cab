"""The wheel: exactly three packages and the weights, and it works where there is no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
ROOMS = {"vision", "scorer", "api"}
MAX_WHEEL_BYTES = 40_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as a user would build it, without the network."""
    missing = [name for name in HOOK["weights"] if not (ROOT / name).is_file()]
    if missing:
        pytest.skip(f"the models are not trained yet: {', '.join(missing)}")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[PurePosixPath]:
    with zipfile.ZipFile(wheel) as archive:
        return [PurePosixPath(name) for name in archive.namelist()]


def test_wheel_is_named_after_the_project(wheel: Path) -> None:
    assert wheel.name.startswith(f"mahjong_reader-{PROJECT['project']['version']}-py3-none-any")


def test_wheel_holds_three_packages_and_nothing_else(names: list[PurePosixPath]) -> None:
    tops = {name.parts[0] for name in names}
    info = f"mahjong_reader-{PROJECT['project']['version']}.dist-info"
    assert tops == ROOMS | {info}


def test_weights_lie_beside_vision(names: list[PurePosixPath]) -> None:
    found = {str(name) for name in names if name.parts[:2] == ("vision", "_weights")}
    assert found == {f"{HOOK['into']}/{Path(name).name}" for name in HOOK["weights"]}


def test_types_and_licence_travel(names: list[PurePosixPath]) -> None:
    have = set(map(str, names))
    assert {f"{room}/py.typed" for room in ROOMS} <= have
    assert any(name.endswith("licenses/LICENSE") for name in have)


def test_page_travels(names: list[PurePosixPath]) -> None:
    page = ROOT / "api" / "page"
    shown = {f"api/page/{path.name}" for path in page.iterdir()}
    assert len(shown) > 20
    assert shown <= set(map(str, names))


def test_the_history_of_the_ledger_travels(names: list[PurePosixPath]) -> None:
    """Alembic reads its steps as files."""
    steps = sorted((ROOT / "api" / "ledger" / "migrations").rglob("*.py"))
    assert len(steps) >= 4
    assert {path.relative_to(ROOT).as_posix() for path in steps} <= set(map(str, names))


def test_no_leftovers_travel(names: list[PurePosixPath]) -> None:
    wrong = {str(n) for n in names if n.suffix in {".pt", ".pyc", ".jpg"} or "tests" in n.parts}
    assert wrong == {"api/canary.jpg"}  # the one photo that the service reads before it is ready


def test_wheel_stays_small(wheel: Path) -> None:
    assert wheel.stat().st_size <= MAX_WHEEL_BYTES


def test_unpacked_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    code = (
        "import vision, scorer, api, pathlib, sys;"
        "site = pathlib.Path(sys.argv[1]).resolve();"
        "files = [pathlib.Path(m.__file__).resolve() for m in (vision, scorer, api)];"
        "assert all(site in f.parents for f in files), files;"
        "reader = vision.load_reader();"
        "print(reader.model['name'])"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAHJONG_", "COV_"))}
    environment["PYTHONPATH"] = str(site)  # comes before the editable install of the checkout
    done = subprocess.run(
        [sys.executable, "-c", code, str(site)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_wheel_without_weights_is_refused(tmp_path: Path) -> None:
    hatch_build = pytest.importorskip(
        "hatchling.builders.hooks.custom", reason="hatchling is in the extra dev"
    )
    hook = hatch_build.CustomBuildHook(
        str(ROOT), {**HOOK, "weights": ["models/no_such.onnx"]}, None, None, "", ""
    )
    with pytest.raises(FileNotFoundError, match=r"models/no_such\.onnx"):
        hook.initialize("standard", {"force_include": {}})


def test_editable_install_needs_no_weights() -> None:
    hatch_build = pytest.importorskip(
        "hatchling.builders.hooks.custom", reason="hatchling is in the extra dev"
    )
    hook = hatch_build.CustomBuildHook(
        str(ROOT), {**HOOK, "weights": ["models/no_such.onnx"]}, None, None, "", ""
    )
    build_data: dict[str, dict[str, str]] = {"force_include": {}}
    hook.initialize("editable", build_data)
    assert build_data == {"force_include": {}}
