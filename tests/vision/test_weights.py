"""Only bytes that the manifest promises are ever loaded."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision import ModelError, load_reader, weights

Change = Callable[[dict[str, Any]], None]
Rewrite = Callable[[Change], Path]


def code_of(models: Path) -> str:
    with pytest.raises(ModelError) as refused:
        weights.load(models)
    assert "\n" not in refused.value.detail
    return refused.value.code


def replace(models: Path, role: str, data: bytes) -> None:
    """Put other bytes in a model's place, with a manifest that promises them."""
    (models / f"{role}.onnx").write_bytes(data)
    manifest = json.loads((models / "manifest.json").read_text())
    manifest[role]["sha256"] = hashlib.sha256(data).hexdigest()
    (models / "manifest.json").write_text(json.dumps(manifest))


def test_a_good_folder(models: Path) -> None:
    loaded = weights.load(models)
    assert (loaded.name, loaded.version) == ("mahjong-reader", "0.0-test")
    assert (loaded.finder.size, loaded.finder.confidence, loaded.finder.iou) == ((96, 128), 0.25, 0.5)
    assert (loaded.namer.size, loaded.namer.margin) == (64, 1.12)
    digests = [
        hashlib.sha256((models / f"{role}.onnx").read_bytes()).hexdigest() for role in ("finder", "namer")
    ]
    assert loaded.sha256 == hashlib.sha256("".join(digests).encode()).hexdigest()


def test_nothing_there(tmp_path: Path) -> None:
    assert code_of(tmp_path) == "model_missing"
    assert code_of(tmp_path / "nowhere") == "model_missing"


@pytest.mark.parametrize("role", ["finder", "namer"])
def test_altered_bytes(models: Path, role: str) -> None:
    path = models / f"{role}.onnx"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert code_of(models) == "model_hash"


@pytest.mark.parametrize("length", [0, 1, 100])
def test_cut_short(models: Path, length: int) -> None:
    path = models / "finder.onnx"
    path.write_bytes(path.read_bytes()[:length])
    assert code_of(models) == "model_hash"


def test_missing_file(models: Path) -> None:
    (models / "namer.onnx").unlink()
    assert code_of(models) == "model_missing"


def test_link_out_of_the_folder(models: Path, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.onnx"
    (models / "namer.onnx").rename(outside)
    (models / "namer.onnx").symlink_to(outside)
    assert code_of(models) == "model_outside"


def test_the_folder_itself_may_be_a_link(models: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(models)
    assert weights.load(link).name == "mahjong-reader"


@pytest.mark.parametrize("name", ["../finder.onnx", "/etc/finder.onnx", "sub/finder.onnx", "a\\b.onnx", ".."])
def test_paths_for_names(change: Rewrite, name: str) -> None:
    assert code_of(change(lambda manifest: manifest["finder"].update(file=name))) == "model_outside"


def test_external_data_is_refused(models: Path, tmp_path: Path) -> None:
    import onnx

    model = onnx.load(str(models / "namer.onnx"))
    onnx.save(
        model,
        str(tmp_path / "outer.onnx"),
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location="secret.bin",
        size_threshold=0,
        convert_attribute=False,
    )
    replace(models, "namer", (tmp_path / "outer.onnx").read_bytes())
    assert code_of(models) == "model_external_data"


def test_a_layer_called_location_is_no_external_data(models: Path) -> None:
    import onnx

    model = onnx.load(str(models / "namer.onnx"))
    model.graph.node[0].name = "/location/head"
    replace(models, "namer", model.SerializeToString())
    assert weights.load(models).name == "mahjong-reader"


@pytest.mark.parametrize("name", ["finder.pt", "finder.pkl", "finder.onnx.pt", "finder"])
def test_other_kinds_of_file_are_refused(models: Path, change: Rewrite, name: str) -> None:
    (models / "finder.onnx").rename(models / name)
    assert code_of(change(lambda manifest: manifest["finder"].update(file=name))) == "model_type"


def test_a_pickle_under_an_onnx_name_is_never_unpickled(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("unpickled")

    replace(models, "finder", pickle.dumps(np.zeros(3)))
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, never)
    with pytest.raises(ModelError) as refused:
        load_reader(models)
    assert refused.value.code == "model_undecodable"


def _drop(*path: str) -> Change:
    def change(manifest: dict[str, Any]) -> None:
        for key in path[:-1]:
            manifest = manifest[key]
        del manifest[path[-1]]

    return change


def _put(value: object, *path: str) -> Change:
    def change(manifest: dict[str, Any]) -> None:
        for key in path[:-1]:
            manifest = manifest[key]
        manifest[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "how",
    [
        _put(2, "format"),
        _drop("format"),
        _drop("name"),
        _put("", "name"),
        _put(3, "version"),
        _drop("finder"),
        _put([], "namer"),
        _drop("finder", "file"),
        _drop("finder", "sha256"),
        _put("abc", "finder", "sha256"),
        _put("640", "finder", "input"),
        _put([640], "finder", "input"),
        _put([640, "640"], "finder", "input"),
        _put([0, 640], "finder", "input"),
        _put([640, 99999], "finder", "input"),
        _put(True, "namer", "input"),
        _put(None, "namer", "input"),
        _drop("finder", "classes"),
        _put([], "finder", "classes"),
        _put([1], "finder", "classes"),
        _put(0, "finder", "confidence"),
        _put(1.5, "finder", "iou"),
        _put("1.12", "namer", "margin"),
        _put(True, "namer", "margin"),
    ],
)
def test_manifests_that_lack_something(change: Rewrite, how: Change) -> None:
    assert code_of(change(how)) == "model_manifest"


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"format": 1}', "[" * 100_000])
def test_manifests_that_are_none(models: Path, text: str) -> None:
    (models / "manifest.json").write_text(text)
    assert code_of(models) == "model_manifest"


def test_a_manifest_that_is_not_text(models: Path) -> None:
    (models / "manifest.json").write_bytes(b"\xff\xfe\x00")
    assert code_of(models) == "model_manifest"


def test_classes_in_another_order(change: Rewrite) -> None:
    assert code_of(change(lambda manifest: manifest["namer"]["classes"].reverse())) == "model_classes"


def test_input_other_than_promised(change: Rewrite) -> None:
    with pytest.raises(ModelError) as refused:
        load_reader(change(_put([64, 64], "finder", "input")))
    assert refused.value.code == "model_shape"


def test_the_environment_names_the_folder(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(weights.ENVIRONMENT, str(models))
    assert weights.find() == models
    monkeypatch.setenv(weights.ENVIRONMENT, str(models / "nowhere"))
    with pytest.raises(ModelError) as refused:
        weights.find()
    assert refused.value.code == "model_missing"


def test_a_given_folder_goes_before_the_environment(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(weights.ENVIRONMENT, str(models / "nowhere"))
    assert weights.find(models) == models


def test_unknown_codes_are_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="unknown"):
        ModelError("model_sad", "why")
