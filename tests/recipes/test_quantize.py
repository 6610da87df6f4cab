"""The 8-bit finder: what is turned into integers, what is not, and that it still answers the same."""

from __future__ import annotations

import cv2
import numpy as np
import onnx
import onnxruntime as ort
import quantize
from onnx import TensorProto, helper, numpy_helper


def network(path):
    """Two stages and a head of one branch, named as ultralytics names them."""
    rng = np.random.default_rng(2)
    nodes, weights, last = [], [], "images"
    for name, wide, deep in (
        ("/model.0/conv/Conv", 3, 8),
        ("/model.1/conv/Conv", 8, 8),
        ("/model.2/m/conv/Conv", 8, 8),
        ("/model.23/cv2.0/cv2.0.0/conv/Conv", 8, 8),
        ("/model.23/cv2.0/cv2.0.2/Conv", 8, 6),
    ):
        weights.append(
            numpy_helper.from_array(rng.normal(0, 0.3, (deep, wide, 3, 3)).astype(np.float32), f"{name}.w")
        )
        nodes.append(
            helper.make_node(
                "Conv", [last, f"{name}.w"], [f"{name}.y"], name=name, kernel_shape=[3, 3], pads=[1] * 4
            )
        )
        last = f"{name}.y"
        if not name.endswith("cv2.0.2/Conv"):
            act = name.replace("conv/Conv", "act")
            nodes.append(helper.make_node("Sigmoid", [last], [f"{act}.s"], name=f"{act}/Sigmoid"))
            nodes.append(helper.make_node("Mul", [last, f"{act}.s"], [f"{act}.m"], name=f"{act}/Mul"))
            last = f"{act}.m"
        if name.startswith("/model.2/"):  # as the stage that attends has one
            nodes.append(helper.make_node("Softmax", [last], [f"{name}.a"], name="/model.2/m/attn/Softmax"))
            last = f"{name}.a"
    nodes.append(helper.make_node("Sigmoid", [last], ["output0"], name="/model.23/Sigmoid"))
    graph = helper.make_graph(
        nodes,
        "finder",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("output0", TensorProto.FLOAT, [1, 6, 32, 32])],
        weights,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def test_the_first_the_attending_and_the_last_layers_stay_as_they_are(tmp_path):
    network(tmp_path / "finder.onnx")
    kept = quantize.kept_in_float(onnx.load(tmp_path / "finder.onnx"))
    assert kept == [
        "/model.0/conv/Conv",
        "/model.0/act/Sigmoid",
        "/model.0/act/Mul",
        "/model.2/m/conv/Conv",
        "/model.2/m/act/Sigmoid",
        "/model.2/m/act/Mul",
        "/model.2/m/attn/Softmax",
        "/model.23/cv2.0/cv2.0.2/Conv",
        "/model.23/Sigmoid",
    ]


def test_ranges_are_measured_on_training_photos_and_scenes(tmp_path):
    for folder, count in (
        ("photos/images/train", 10),
        ("photos/images/val", 10),
        ("s/images", 9),
        ("t/images", 2),
    ):
        (tmp_path / folder).mkdir(parents=True)
        for number in range(count):
            (tmp_path / folder / f"{number}.jpg").touch()
    photos, scenes = tmp_path / "photos", [tmp_path / "s", tmp_path / "t"]
    alone = quantize.to_measure(photos, [], 5)
    assert sorted(path.name for path in alone) == ["0.jpg", "2.jpg", "4.jpg", "6.jpg", "8.jpg"]
    both = quantize.to_measure(photos, scenes, 12)
    assert sorted(path.parent.parent.name for path in both) == ["images"] * 6 + ["s"] * 3 + ["t"] * 2
    assert all(path.parent.name != "val" for path in both)


def test_the_8_bit_network_answers_nearly_the_same(tmp_path):
    network(tmp_path / "finder.onnx")
    rng = np.random.default_rng(3)
    photos = []
    for number in range(6):
        photos.append(tmp_path / f"{number}.png")
        cv2.imwrite(str(photos[-1]), rng.integers(0, 256, (32, 32, 3), np.uint8))
    quantize.quantize(tmp_path / "finder.onnx", photos, tmp_path / "small.onnx", 32)
    operations = [node.op_type for node in onnx.load(tmp_path / "small.onnx").graph.node]
    assert "QLinearConv" in operations  # fused: integers in and out
    whole = operations.count("Conv") + operations.count("FusedConv")
    assert whole == 3  # the first, the attending and the last stage
    batch = rng.random((1, 3, 32, 32)).astype(np.float32)
    before, small = (
        ort.InferenceSession(str(tmp_path / name), providers=["CPUExecutionProvider"]).run(
            None, {"images": batch}
        )[0]
        for name in ("finder.onnx", "small.onnx")
    )
    assert 0 < np.abs(before - small).mean() < 0.03
    assert np.corrcoef(before.ravel(), small.ravel())[0, 1] > 0.98
