"""Export trained checkpoints to ONNX and write the manifest.

The finder's height and width stay open, so that a photo is padded only to a multiple of 32 and not to a
square. Both files are single files without external data; the manifest pins them by sha256.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import MethodType
from typing import Any

HERE = Path(__file__).parent
LARGE = 1024  # tensors smaller than this are left as they are
HALF_MOST = 60_000  # float16 ends at 65,504
sys.path[:0] = [str(HERE), str(HERE.parent / "datasets"), str(HERE.parent)]


def answer_the_best(head: Any, most: int) -> None:
    """Let a detection head decode only the `most` anchors with the best scores, best first.

    The corners of a box are the means of four distributions over 16 distances: for all 6,300 anchors of a
    photo that takes as long as a tenth of the network, and all but some dozens are dropped. No photo, of
    whatever shape, has fewer anchors than 300: its longer side fills the input.
    """

    def inference(self: Any, x: dict[str, Any]) -> Any:
        import torch
        from ultralytics.utils.tal import make_anchors

        anchors, strides = (a.transpose(0, 1) for a in make_anchors(x["feats"], self.stride, 0.5))
        best = x["scores"].amax(1)[0].topk(most).indices
        boxes = self.decode_bboxes(self.dfl(x["boxes"][:, :, best]), anchors[:, best].unsqueeze(0))
        return torch.cat((boxes * strides[:, best], x["scores"][:, :, best].sigmoid()), 1)

    head._inference = MethodType(inference, head)


def export_finder(checkpoint: Path, target: Path, size: int) -> list[str]:
    """Write `target` from an ultralytics checkpoint; returns its class names in order."""
    import torchvision_cpu  # noqa: F401  (before ultralytics)
    from ultralytics import YOLO

    from vision.finder import MOST

    model = YOLO(str(checkpoint))
    answer_the_best(model.model.model[-1], MOST)
    written = model.export(format="onnx", imgsz=size, dynamic=True, simplify=True, opset=17, device="cpu")
    shutil.move(written, target)
    return [model.names[index] for index in sorted(model.names)]


def export_namer(checkpoint: Path, target: Path, corners: bool = False) -> None:
    """Write `target` from a checkpoint of models/train.py; the batch size stays open."""
    import torch
    from namer_net import SIZE, Namer, Served

    net = Namer()
    net.load_state_dict(torch.load(checkpoint, weights_only=True))
    outputs = ["probabilities", "up", "features", *(["corners"] if corners else [])]
    torch.onnx.export(
        Served(net, corners).eval(),
        (torch.rand(2, 3, SIZE, SIZE),),
        str(target),
        input_names=["crops"],
        output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in ("crops", *outputs)},
        opset_version=17,
        dynamo=False,
    )


def halve(path: Path) -> None:
    """Keep the weights of an ONNX file in float16, which halves it; they are widened once, on loading.

    The arithmetic stays float32. The rounding is far below what the weights mean.
    """
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(path)
    widened = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.size < LARGE or np.abs(values).max() > HALF_MOST:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        widened.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    for node in reversed(widened):
        model.graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def to_int8(path: Path, photos: Path, scenes: Sequence[Path], size: int) -> None:
    """Turn the finder into 8-bit integers, with ranges measured on training photos and scenes."""
    from quantize import COUNT, quantize, to_measure

    whole = path.with_suffix(".float.onnx")
    path.replace(whole)
    quantize(whole, to_measure(photos, scenes, COUNT), path, size)
    whole.unlink()


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument(
        "--finder", type=Path, help="checkpoint of the finder; the file in --out stays if not given"
    )
    parser.add_argument(
        "--namer", type=Path, help="checkpoint of the namer; the file in --out stays if not given"
    )
    parser.add_argument(
        "--size",
        type=int,
        default=640,
        help="longer side of the photo as the finder sees it, a multiple of 32",
    )
    parser.add_argument("--confidence", type=float, default=0.25, help="boxes below this are dropped")
    parser.add_argument(
        "--iou", type=float, default=0.5, help="of two boxes that overlap by more, the worse is dropped"
    )
    parser.add_argument(
        "--int8", type=Path, metavar="PHOTOS", help="8-bit finder, its ranges measured on PHOTOS/images/train"
    )
    parser.add_argument(
        "--int8-scenes", type=Path, action="append", default=[], metavar="SCENES", help="and on these scenes"
    )
    parser.add_argument("--corners", action="store_true", help="let the namer tell the corners of faces too")
    parser.add_argument("--version", default="0.1.0")
    parser.add_argument("--out", type=Path, default=HERE)
    args = parser.parse_args()
    from faces import CODES
    from namer_data import MARGIN
    from namer_net import SIZE

    path = args.out / "manifest.json"
    manifest = (
        json.loads(path.read_text())
        if path.exists()
        else {"finder": {"classes": ["face", "back"]}, "namer": {}}
    )
    classes = manifest["finder"]["classes"]
    if args.finder:
        classes = export_finder(args.finder, args.out / "finder.onnx", args.size)
        if args.int8:
            to_int8(args.out / "finder.onnx", args.int8, args.int8_scenes, args.size)
        else:
            halve(args.out / "finder.onnx")
    if args.namer:
        export_namer(args.namer, args.out / "namer.onnx", args.corners)
        halve(args.out / "namer.onnx")
    manifest |= {"format": 1, "name": "mahjong-reader", "version": args.version}
    manifest["finder"] |= {
        "file": "finder.onnx",
        "sha256": sha256(args.out / "finder.onnx"),
        "input": [args.size, args.size],
        "classes": classes,
        "confidence": args.confidence,
        "iou": args.iou,
    }
    manifest["namer"] |= {
        "file": "namer.onnx",
        "sha256": sha256(args.out / "namer.onnx"),
        "input": SIZE,
        "margin": MARGIN,
        "classes": list(CODES),
    }
    path.write_text(json.dumps(manifest, indent=2) + "\n")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
