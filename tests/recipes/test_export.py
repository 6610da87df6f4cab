"""Export: halved weights answer as the whole ones do."""

from __future__ import annotations

import export
import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper


def test_halved_weights_answer_nearly_the_same_and_small_tensors_are_left_alone(tmp_path):
    rng = np.random.default_rng(1)
    weight = numpy_helper.from_array(rng.normal(0, 0.1, (64, 32)).astype(np.float32), "w")
    bias = numpy_helper.from_array(rng.normal(0, 0.1, 32).astype(np.float32), "b")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Add", ["m", "b"], ["y"])],
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 32])],
        [weight, bias],
    )
    path = tmp_path / "net.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    batch = rng.normal(0, 1, (5, 64)).astype(np.float32)

    def run():
        return ort.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, {"x": batch})[0]

    whole, size = run(), path.stat().st_size
    export.halve(path)
    assert path.stat().st_size < size * 0.65
    assert np.abs(run() - whole).max() < 2e-3
    kinds = {tensor.name: tensor.data_type for tensor in onnx.load(path).graph.initializer}
    assert kinds == {"w.half": TensorProto.FLOAT16, "b": TensorProto.FLOAT}


def test_a_head_that_decodes_its_best_boxes_answers_them_as_before():
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    head_module = pytest.importorskip(
        "ultralytics.nn.modules.head", reason="the extra `train` is not installed"
    )
    torch.manual_seed(4)
    head = head_module.Detect(nc=2, ch=(8, 16, 32)).eval()
    head.stride = torch.tensor([8.0, 16.0, 32.0])
    levels = [torch.rand(1, deep, 96 // k, 128 // k) for deep, k in ((8, 8), (16, 16), (32, 32))]
    head.export = head.dynamic = True
    whole = head(list(levels))[0]
    export.answer_the_best(head, 20)
    best = head(list(levels))[0]
    order = whole[4:].amax(0).argsort(descending=True)[:20]
    assert best.shape == (6, 20)
    assert torch.allclose(best, whole[:, order])
