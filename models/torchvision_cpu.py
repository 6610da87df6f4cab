"""Import before ultralytics: makes torchvision importable where its compiled operators do not match torch.

PyPI's torchvision is built for one torch build; beside a CPU-only torch its operators may be missing, and
importing it fails. ultralytics needs only non-maximum suppression from it, which this module then supplies
in NumPy. Where torchvision imports as it is, nothing happens.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", str(os.cpu_count() or 1))  # ultralytics would set 1
os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("YOLO_OFFLINE", "true")

import numpy as np
import torch
from torch import library

KEPT = 300  # ultralytics keeps no more either (max_det)


def _nms(boxes: torch.Tensor, scores: torch.Tensor, iou_threshold: float) -> torch.Tensor:
    order = np.argsort(-scores.detach().float().numpy(), kind="stable")
    x0, y0, x1, y1 = boxes.detach().float().numpy()[order].T
    area = (x1 - x0) * (y1 - y0)
    left, kept = np.arange(len(order)), []
    while len(left) and len(kept) < KEPT:
        best, rest = left[0], left[1:]
        kept.append(best)
        wide = np.minimum(x1[best], x1[rest]) - np.maximum(x0[best], x0[rest])
        high = np.minimum(y1[best], y1[rest]) - np.maximum(y0[best], y0[rest])
        inter = wide.clip(0) * high.clip(0)
        left = rest[inter <= iou_threshold * (area[best] + area[rest] - inter)]
    return torch.as_tensor(order[np.array(kept, np.int64)] if kept else np.zeros(0, np.int64))


try:
    import torchvision
except RuntimeError:
    import sys

    for _module in [name for name in sys.modules if name == "torchvision" or name.startswith("torchvision.")]:
        del sys.modules[_module]
    for _operator in ("torchvision::nms", "torchvision::qnms"):
        library.define(_operator, "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    library.impl("torchvision::nms", "CPU", _nms)
    import torchvision
    import torchvision.extension

    torchvision.extension._has_ops = lambda: True
