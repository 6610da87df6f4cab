"""Turn the finder's ONNX file into 8-bit integers: python models/quantize.py FINDER PHOTOS OUT

Weights and activations of all stages, per channel, ranges measured on photos; the last layers of the heads
and the decoding of boxes stay in float32, where 8 bits would blur positions and scores. PHOTOS is a folder in
YOLO form, of which training photos are taken. The weights keep to 7 bits, so that sums cannot overflow on
processors without VNNI.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
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

from vision.finder import letterbox

OPERATIONS = ["Conv", "Mul", "Sigmoid", "Concat", "Add", "MaxPool", "Resize", "Split"]


class Photos(CalibrationDataReader):
    """Letterboxed photos, one at a time."""

    def __init__(self, paths: list[Path], name: str, size: int) -> None:
        self._batches = self._read(paths, name, size)

    @staticmethod
    def _read(paths: list[Path], name: str, size: int) -> Iterator[dict[str, NDArray[np.float32]]]:
        for path in paths:
            canvas, _ = letterbox(np.asarray(cv2.imread(str(path)), np.uint8), size, size)
            batch = canvas[:, :, ::-1].transpose(2, 0, 1)[None].astype(np.float32) / 255
            yield {name: np.ascontiguousarray(batch)}

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._batches, None)


def kept_in_float(model: onnx.ModelProto) -> list[str]:
    """Names of the nodes of the head that decode: all but its inner convolutions with their activations."""
    convolutions = [node.name for node in model.graph.node if node.op_type == "Conv"]
    head = "/" + convolutions[-1].split("/")[1] + "/"  # such as /model.23/
    kept = []
    for node in model.graph.node:
        if not node.name.startswith(head):
            continue
        last = node.op_type == "Conv" and node.name.count("/") == 4  # head/branch/branch.2/Conv
        decoding = node.op_type not in ("Conv", "Sigmoid", "Mul") or node.name.count("/") < 4
        if last or decoding or "dfl" in node.name:
            kept.append(node.name)
    return kept


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
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("finder", type=Path, help="finder.onnx with float32 weights")
    parser.add_argument("photos", type=Path, help="folder with images/train")
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=96, help="photos to measure ranges on")
    parser.add_argument("--size", type=int, default=640)
    args = parser.parse_args()
    paths = sorted((args.photos / "images" / "train").glob("*.jpg"))
    chosen = paths[:: max(len(paths) // args.count, 1)][: args.count]
    quantize(args.finder, chosen, args.out, args.size)
    print(f"{args.out}: {args.out.stat().st_size / 1e6:.1f} MB, ranges of {len(chosen)} photos")


if __name__ == "__main__":
    main()
