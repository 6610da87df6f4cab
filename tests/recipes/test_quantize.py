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
    nodes.append(helper.make_node("Sigmoid", [last], ["output0"], name="/model.23/Sigmoid"))
    graph = helper.make_graph(
        nodes,
        "finder",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("output0", TensorProto.FLOAT, [1, 6, 32, 32])],
        weights,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def test_the_last_layer_and_the_decoding_stay_as_they_are(tmp_path):
    network(tmp_path / "finder.onnx")
    kept = quantize.kept_in_float(onnx.load(tmp_path / "finder.onnx"))
    assert kept == ["/model.23/cv2.0/cv2.0.2/Conv", "/model.23/Sigmoid"]


def test_the_8_bit_network_answers_nearly_the_same(tmp_path):
    network(tmp_path / "finder.onnx")
    rng = np.random.default_rng(3)
    photos = []
    for number in range(6):
        photos.append(tmp_path / f"{number}.png")
        cv2.imwrite(str(photos[-1]), rng.integers(0, 256, (32, 32, 3), np.uint8))
    quantize.quantize(tmp_path / "finder.onnx", photos, tmp_path / "small.onnx", 32)
    operations = [node.op_type for node in onnx.load(tmp_path / "small.onnx").graph.node]
    assert "QuantizeLinear" in operations
    batch = rng.random((1, 3, 32, 32)).astype(np.float32)
    whole, small = (
        ort.InferenceSession(str(tmp_path / name), providers=["CPUExecutionProvider"]).run(
            None, {"images": batch}
        )[0]
        for name in ("finder.onnx", "small.onnx")
    )
    assert 0 < np.abs(whole - small).mean() < 0.03
    assert np.corrcoef(whole.ravel(), small.ravel())[0, 1] > 0.98
