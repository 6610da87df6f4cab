"""Turn the finder's ONNX file into 8-bit integers: python models/quantize.py FINDER PHOTOS OUT

Weights and activations of nearly all stages, per channel, ranges measured on photos and, with --scenes, on
painted scenes of other tile sets. The first layer, the stage that attends, the last layers of the heads and
the decoding of boxes stay in float32, where 8 bits would blur edges, positions and scores. PHOTOS is a folder
in YOLO form, of which training photos are taken. The weights keep to 7 bits, so that sums cannot overflow on
processors without VNNI; a range follows the mean of what the photos show, since the one widest value of all
photos would waste steps on all others.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

sys.path.insert(0, str(Path(__file__).parents[1]))

from vision._onnx import planes
from vision.finder import letterbox

OPERATIONS = ["Conv", "Mul", "Sigmoid", "Concat", "Add", "MaxPool", "Resize", "Split"]

COUNT = 192
"""Pictures that ranges are measured on."""


class Photos(CalibrationDataReader):
    """Letterboxed photos, one at a time."""

    def __init__(self, paths: list[Path], name: str, size: int) -> None:
        self._batches = self._read(paths, name, size)

    @staticmethod
    def _read(paths: list[Path], name: str, size: int) -> Iterator[dict[str, NDArray[np.float32]]]:
        for path in paths:
            canvas, _ = letterbox(np.asarray(cv2.imread(str(path)), np.uint8), size, size)
            yield {name: planes(canvas[None])}

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._batches, None)


def kept_in_float(model: onnx.ModelProto) -> list[str]:
    """Names of the nodes that stay in float32: the first stage, stages with a softmax over positions, and all
    of the head but its inner convolutions with their activations."""
    convolutions = [node.name for node in model.graph.node if node.op_type == "Conv"]
    head = stage(convolutions[-1])  # such as /model.23/
    whole = {stage(convolutions[0])} | {
        stage(node.name) for node in model.graph.node if node.op_type == "Softmax"
    } - {head}
    kept = []
    for node in model.graph.node:
        last = node.op_type == "Conv" and node.name.count("/") == 4  # head/branch/branch.2/Conv
        decoding = node.op_type not in ("Conv", "Sigmoid", "Mul") or node.name.count("/") < 4
        of_head = node.name.startswith(head) and (last or decoding or "dfl" in node.name)
        if of_head or stage(node.name) in whole:
            kept.append(node.name)
    return kept


def stage(name: str) -> str:
    """The stage that a node belongs to, such as /model.23/; nothing for a node outside them."""
    return f"/{name.split('/')[1]}/" if name.count("/") > 1 else ""


def evenly(found: Sequence[Path], count: int) -> list[Path]:
    """`count` of the paths, evenly spaced; all, where they are fewer."""
    return list(found[:: max(len(found) // count, 1)][:count]) if count else []


def to_measure(photos: Path, scenes: Sequence[Path], count: int) -> list[Path]:
    """Pictures to measure ranges on: `count` training photos, or half of them and as many scenes."""
    share = count // 2 if scenes else count
    chosen = evenly(sorted((photos / "images" / "train").glob("*.jpg")), share)
    for folder in scenes:
        chosen += evenly(sorted((folder / "images").glob("*.jpg")), (count - share) // len(scenes))
    random.Random(1).shuffle(chosen)  # a moving mean weighs the last ones most
    return chosen


def quantize(source: Path, photos: list[Path], target: Path, size: int) -> None:
    """Write `target`, the 8-bit form of `source`, with ranges measured on `photos` at `size` pixels."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "ready.onnx"
        quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
        model = onnx.load(ready)
        quantize_static(
            str(ready),
            str(target),
            Photos(photos, model.graph.input[0].name, size),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=OPERATIONS,
            nodes_to_exclude=kept_in_float(model),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
            extra_options={"CalibMovingAverage": True, "CalibMovingAverageConstant": 0.02},
        )
    fuse(target)


def fuse(path: Path) -> None:
    """Write the network as onnxruntime runs it, which then loads faster: integers in and out of
    each layer, and none of what is bound to one kind of processor."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    fused = path.with_suffix(".fused.onnx")
    options.optimized_model_filepath = str(fused)
    ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    fused.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("finder", type=Path, help="finder.onnx with float32 weights")
    parser.add_argument("photos", type=Path, help="folder with images/train")
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--scenes", type=Path, action="append", default=[], help="folder of scenes to measure ranges on too"
    )
    parser.add_argument("--count", type=int, default=COUNT, help="pictures to measure ranges on")
    parser.add_argument("--size", type=int, default=640)
    args = parser.parse_args()
    chosen = to_measure(args.photos, args.scenes, args.count)
    quantize(args.finder, chosen, args.out, args.size)
    print(f"{args.out}: {args.out.stat().st_size / 1e6:.1f} MB, ranges of {len(chosen)} pictures")


if __name__ == "__main__":
    main()
