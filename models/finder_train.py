"""Training of the finder with ultralytics."""

from __future__ import annotations

import argparse
import math
import random
import time
from typing import Any

from finder_labels import finder_data

UPRIGHT = 12.0  # degrees either way of an upright photo


def turn_over_the_full_circle(share: float) -> None:
    """Let ultralytics turn this share of all pictures by any angle, and the others a little.

    It knows one range of angles only; people mostly hold their cameras upright, but not always.
    """
    from ultralytics.data.augment import RandomPerspective

    def degrees(_: Any) -> float:
        return 180.0 if random.random() < share else UPRIGHT

    RandomPerspective.degrees = property(degrees, lambda *_: None)


def anneal(trainer: Any, highest: float, last: float, minutes: float) -> None:
    """Let the learning rate rise over the first twentieth of the time and fall along a cosine to its end.

    ultralytics sets it by the epoch, and a run of minutes ends in the middle of one.
    """
    begun = time.monotonic()

    def before_batch(running: Any) -> None:
        done = min((time.monotonic() - begun) / 60 / minutes, 1.0)
        rate = min(done / 0.05 + 0.02, 1.0) * (last + (highest - last) * (1 + math.cos(math.pi * done)) / 2)
        for group in running.optimizer.param_groups:
            group["lr"] = rate

    trainer.add_callback("on_train_batch_start", before_batch)


def train(args: argparse.Namespace) -> None:
    """Train with ultralytics on the CPU, for a number of epochs or of minutes."""
    import torch
    import torchvision_cpu  # noqa: F401  (before ultralytics)
    from ultralytics.models.yolo.detect import DetectionTrainer

    if args.bf16:
        from finder_bf16 import Bf16Trainer as DetectionTrainer
    data = finder_data(args.photos, args.scenes or [], args.relabelled, args.out / "data")
    turn_over_the_full_circle(args.turned)
    settings = {
        "model": str(args.weights),
        "data": str(data),
        "imgsz": args.size,
        "batch": args.batch,
        "nbs": args.batch,  # a step a batch: the runs are short
        "epochs": args.epochs,
        "device": "cpu",
        "workers": 0,
        "optimizer": "AdamW",
        "lr0": args.rate,
        "lrf": args.last_rate / args.rate,
        "cos_lr": True,
        "warmup_epochs": 0.0 if args.minutes else 0.2,
        "mosaic": args.mosaic,
        "freeze": args.freeze,
        "close_mosaic": 1,
        "scale": 0.5,
        "perspective": 0.0003,
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
    if args.minutes:
        trainer.add_callback("on_train_start", lambda it: anneal(it, args.rate, args.last_rate, args.minutes))
    trainer.train()
