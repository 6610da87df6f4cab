"""The namer's network: the first stages of a YOLO, which start from COCO weights, and three heads."""

from __future__ import annotations

from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SIZE = 80
CLASSES = 47
STAGES = 7  # layers 0 to 6 of YOLO11: down to a sixteenth of the crop, 128 channels
WIDTH = 192


class Namer(nn.Module):
    """(n, 3, SIZE, SIZE) RGB in 0..1 -> logits (n, 47), up (n, 2) and corners (n, 4, 2).

    Image coordinates (x right, y down); up in pixels' proportions, corners from the middle of the crop, -1..1
    at its edges: those of the face, clockwise, from its own top left or, where it stands on its head, from
    the corner opposite (`namer_train.either_way`): of faces that look alike both ways the mean would be
    learnt.

    `start` is an ultralytics checkpoint whose first stages give the trunk its weights; without it they are
    random.
    """

    def __init__(self, start: Path | None = None) -> None:
        super().__init__()
        import torchvision_cpu  # noqa: F401  (before ultralytics)
        from ultralytics import YOLO

        whole = YOLO(str(start) if start else "yolo11n.yaml").model.float()
        self.trunk = nn.Sequential(*[whole.model[index] for index in range(STAGES)])
        self.trunk.requires_grad_(True)
        self.neck = nn.Sequential(
            nn.Conv2d(128, WIDTH, 3, 1, 1, bias=False), nn.BatchNorm2d(WIDTH), nn.SiLU()
        )
        self.drop = nn.Dropout(0.1)
        self.name = nn.Linear(WIDTH, CLASSES)
        # The up direction needs to know where in the crop the strokes lie, so it sees the map unpooled.
        self.up = nn.Sequential(
            nn.Conv2d(WIDTH, 32, 1), nn.SiLU(), nn.Flatten(), nn.Linear(32 * (SIZE // 16) ** 2, 2)
        )
        self.corners = nn.Sequential(
            nn.Conv2d(WIDTH, 32, 1), nn.SiLU(), nn.Flatten(), nn.Linear(32 * (SIZE // 16) ** 2, 8)
        )
        self.register_buffer("temperature", torch.ones(()))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits, up vectors and corners of a batch of crops."""
        return self.answer(crops)[:3]

    def answer(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The same, and the features (n, WIDTH) that the name is told by."""
        seen = self.neck(self.trunk(crops))
        features = seen.mean((2, 3))
        return self.name(self.drop(features)), self.up(seen), self.corners(seen).view(-1, 4, 2), features


class Served(nn.Module):
    """The exported form: probabilities that sum to one, the up vector shortened to at most length one, the
    features that a set of one's own is learnt by, and corners where asked."""

    def __init__(self, namer: Namer, corners: bool = False) -> None:
        super().__init__()
        self.namer = namer
        self.with_corners = corners

    def forward(self, crops: Tensor) -> tuple[Tensor, ...]:
        """Probabilities (n, 47), up (n, 2), features (n, WIDTH) and, where asked, corners (n, 4, 2)."""
        logits, up, corners, features = self.namer.answer(crops)
        length = (up * up).sum(1, keepdim=True).clamp_min(1e-9).sqrt()
        told = F.softmax(logits / self.namer.temperature, 1), up / torch.clamp(length, min=1.0), features
        return (*told, corners) if self.with_corners else told
