"""Training of the finder with ultralytics: its data set of two classes, and the trainer."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import cv2
import numpy as np
from faces import CODES
from numpy.typing import NDArray


def finder_data(
    photos: Path | None, scenes: Path | None, out: Path, turned: float = 0.3, seed: int = 0
) -> Path:
    """Lay out a YOLO data set of two classes, face and back; a share `turned` of the photos is laid down in
    another quarter turn.

    Returns the path of its YAML file. Quarter turns keep boxes tight, which arbitrary rotation of loose
    boxes would not; the scenes bring every other angle.
    """
    rng = np.random.default_rng(seed)
    back = CODES.index("0x")
    shutil.rmtree(out, ignore_errors=True)
    sources = [("train", photos, "train", True), ("val", photos, "val", False), ("train", scenes, "", False)]
    for split, root, folder, may_turn in sources:
        if root is None:
            continue
        images, labels = out / "images" / split, out / "labels" / split
        images.mkdir(parents=True, exist_ok=True)
        labels.mkdir(parents=True, exist_ok=True)
        for path in sorted((root / "images" / folder).glob("*.jpg")):
            source = root / "labels" / folder / f"{path.stem}.txt"
            rows = (
                np.loadtxt(source, ndmin=2)
                if source.exists() and source.stat().st_size > 1
                else np.zeros((0, 5))
            )
            rows[:, 0] = rows[:, 0] == back
            if may_turn and rng.random() < turned:
                turns = int(rng.integers(1, 4))
                picture = np.rot90(cv2.imread(str(path)), turns)
                for _ in range(turns):  # one quarter turn counter-clockwise: (x, y) -> (y, 1 - x)
                    rows = np.column_stack([rows[:, 0], rows[:, 2], 1 - rows[:, 1], rows[:, 4], rows[:, 3]])
                cv2.imwrite(str(images / path.name), np.ascontiguousarray(picture))
            else:
                shutil.copy(path, images / path.name)
            _write(labels / f"{path.stem}.txt", rows)
    data = out / "finder.yaml"
    judged = "images/val" if (out / "images/val").exists() else "images/train"
    data.write_text(f"path: {out.resolve()}\ntrain: images/train\nval: {judged}\nnames: [face, back]\n")
    return data


def _write(path: Path, rows: NDArray[np.float64]) -> None:
    path.write_text("".join(f"{int(k)} {x:.6f} {y:.6f} {w:.6f} {h:.6f}\n" for k, x, y, w, h in rows))


def train(args: argparse.Namespace) -> None:
    """Train with ultralytics on the CPU, for a number of epochs or of minutes."""
    import torch
    import torchvision_cpu  # noqa: F401  (before ultralytics)
    from ultralytics.models.yolo.detect import DetectionTrainer

    if args.bf16:
        from finder_bf16 import Bf16Trainer as DetectionTrainer
    data = finder_data(args.photos, args.scenes, args.out / "data", args.turned, args.seed)
    settings = {
        "model": str(args.weights),
        "data": str(data),
        "imgsz": args.size,
        "batch": args.batch,
        "epochs": args.epochs,
        "device": "cpu",
        "workers": 0,
        "optimizer": "AdamW",
        "lr0": 0.0015,
        "lrf": 0.02,
        "cos_lr": True,
        "warmup_epochs": 0.3,
        "mosaic": args.mosaic,
        "freeze": args.freeze,
        "close_mosaic": 1,
        "scale": 0.5,
        "degrees": 8.0,
        "translate": 0.1,
        "fliplr": 0.0,
        "flipud": 0.0,
        "hsv_h": 0.03,
        "hsv_s": 0.6,
        "hsv_v": 0.4,
        "val": False,
        "plots": False,
        "project": str(args.out.resolve()),
        "name": "run",
        "exist_ok": True,
        "seed": args.seed,
        "amp": False,
    }
    if args.minutes:
        settings["time"] = args.minutes / 60
    trainer = DetectionTrainer(overrides=settings)
    trainer.add_callback("on_train_start", lambda _: torch.set_num_threads(args.threads))
    trainer.train()
