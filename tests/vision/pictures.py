"""Photos and networks that the tests of this room make for themselves, so that every figure in them is
known."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

ORIENTATION = 0x0112


def scene(height: int = 96, width: int = 160) -> NDArray[np.uint8]:
    """An RGB picture without any symmetry: a different colour in each corner, smooth so that JPEG keeps
    it."""
    y, x = np.mgrid[0:height, 0:width]
    red, green = 255 * x / (width - 1), 255 * y / (height - 1)
    blue = 127 + 127 * np.sin(3 * x / width + 5 * y / height)
    return np.stack([red, green, blue], axis=2).astype(np.uint8)


def encode(picture: NDArray[np.uint8] | Image.Image, kind: str, **options: Any) -> bytes:
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def turned(picture: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """The stored form that a viewer turns back into `picture` when told `orientation`."""
    undo = {
        1: lambda p: p,
        2: lambda p: p[:, ::-1],
        3: lambda p: p[::-1, ::-1],
        4: lambda p: p[::-1],
        5: lambda p: p.transpose(1, 0, 2),
        6: lambda p: np.rot90(p, 1),  # shown turned clockwise, so stored turned the other way
        7: lambda p: p[::-1, ::-1].transpose(1, 0, 2),
        8: lambda p: np.rot90(p, -1),
    }
    return np.ascontiguousarray(undo[orientation](picture))


def oriented(picture: NDArray[np.uint8], kind: str, orientation: int) -> bytes:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    options: dict[str, Any] = {"quality": 95, "subsampling": 0} if kind == "JPEG" else {}
    if kind == "WEBP":
        options["lossless"] = True
    return encode(turned(picture, orientation), kind, exif=exif, **options)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, depth: int, colour: int, body: bytes, *extra: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def png_bomb(side: int = 30_000) -> bytes:
    """A black one-bit PNG: about 100 kB for `side`² pixels."""
    packer = zlib.compressobj(9)
    row = bytes(1 + (side + 7) // 8)
    body = b"".join(packer.compress(row * 500) for _ in range(side // 500)) + packer.flush()
    return png(side, side, 1, 0, body)


def webp_bomb(side: int = 16_383) -> bytes:
    """A lossless WebP of one colour, whose header alone asks for `side`² pixels."""
    bits = (side - 1) | (side - 1) << 14
    body = b"\x2f" + struct.pack("<I", bits) + bytes(8)
    body += bytes(len(body) & 1)
    inner = b"WEBP" + b"VP8L" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(inner)) + inner


def finder_network(path: Path, output: NDArray[np.float32], height: int, width: int) -> bytes:
    """A network that answers `output` (1, 4 + classes, n) whatever it sees."""
    from onnx import TensorProto, helper, numpy_helper

    constant = numpy_helper.from_array(output.astype(np.float32), "answer")
    zero = numpy_helper.from_array(np.zeros((), np.float32), "zero")
    nodes = [
        helper.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
        helper.make_node("Mul", ["mean", "zero"], ["nothing"]),
        helper.make_node("Add", ["answer", "nothing"], ["output0"]),
    ]
    inputs = [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, height, width])]
    outputs = [helper.make_tensor_value_info("output0", TensorProto.FLOAT, list(output.shape))]
    graph = helper.make_graph(nodes, "finder", inputs, outputs, [constant, zero])
    return _save(path, graph)


def echo_network(path: Path, height: int, width: int) -> bytes:
    """A network whose answer is its own input, laid out as (1, 3, height * width): to look at what was
    fed to it."""
    from onnx import TensorProto, helper, numpy_helper

    shape = numpy_helper.from_array(np.array([1, 3, height * width], np.int64), "shape")
    nodes = [helper.make_node("Reshape", ["images", "shape"], ["output0"])]
    inputs = [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, height, width])]
    outputs = [helper.make_tensor_value_info("output0", TensorProto.FLOAT, [1, 3, height * width])]
    return _save(path, helper.make_graph(nodes, "echo", inputs, outputs, [shape]))


def namer_network(path: Path, size: int = 64, corners: bool = False, features: bool = False) -> bytes:
    """A network that names a crop by its mean colour: bright red is class 0, green class 9, blue class
    18; `up` is (red, -green). With `corners` the face is said to fill the middle half of every crop; with
    `features` the mean colour is told too."""
    from onnx import TensorProto, helper, numpy_helper

    weights = np.zeros((3, 47), np.float32)
    weights[0, 0] = weights[1, 9] = weights[2, 18] = 40
    up = np.array([[1, 0], [0, -1], [0, 0]], np.float32)
    constants = [numpy_helper.from_array(weights, "weights"), numpy_helper.from_array(up, "turn")]
    nodes = [
        helper.make_node("GlobalAveragePool", ["crops"], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["mean"]),
        helper.make_node("MatMul", ["mean", "weights"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["probabilities"], axis=1),
        helper.make_node("MatMul", ["mean", "turn"], ["up"]),
    ]
    inputs = [helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", 3, size, size])]
    outputs = [
        helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["n", 47]),
        helper.make_tensor_value_info("up", TensorProto.FLOAT, ["n", 2]),
    ]
    if features:
        nodes.append(helper.make_node("Identity", ["mean"], ["features"]))
        outputs.append(helper.make_tensor_value_info("features", TensorProto.FLOAT, ["n", 3]))
    if corners:
        quad = np.array([[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]], np.float32)
        shape = np.array([-1, 1, 1], np.int64)
        constants += [numpy_helper.from_array(quad, "quad"), numpy_helper.from_array(shape, "column")]
        constants.append(numpy_helper.from_array(np.zeros((3, 1), np.float32), "nothing"))
        nodes += [
            helper.make_node("MatMul", ["mean", "nothing"], ["zero"]),
            helper.make_node("Reshape", ["zero", "column"], ["zeros"]),
            helper.make_node("Add", ["zeros", "quad"], ["corners"]),
        ]
        outputs.append(helper.make_tensor_value_info("corners", TensorProto.FLOAT, ["n", 4, 2]))
    return _save(path, helper.make_graph(nodes, "namer", inputs, outputs, constants))


def _save(path: Path, graph: Any) -> bytes:
    from onnx import helper

    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data: bytes = model.SerializeToString()
    path.write_bytes(data)
    return data
