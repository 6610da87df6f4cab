"""Square crops around tiles: the one rule by which both the training of the namer and its serving cut a
tile out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["cut", "square_side"]


def square_side(box: NDArray[np.float32], margin: float) -> float:
    """Side in pixels of the square around `box` (x0, y0, x1, y1): the longer side times `margin`."""
    return float(max(box[2] - box[0], box[3] - box[1]) * margin)


def cut(image: NDArray[np.uint8], boxes: NDArray[np.float32], size: int, margin: float) -> NDArray[np.uint8]:
    """Cut a square crop around each box.

    `image` is (h, w, 3) BGR, `boxes` (n, 4) as x0, y0, x1, y1 in its pixels. Returns (n, size, size, 3)
    BGR. The square is centred on the box and `margin` times its longer side, so a tile lying at any angle
    stays whole; beyond the edge of the photo the border is repeated. A crop that shrinks a lot is
    averaged first, since plain interpolation would drop the thin strokes that tell one tile from another.
    """
    height, width = image.shape[:2]
    crops = np.empty((len(boxes), size, size, 3), np.uint8)
    for index, box in enumerate(np.asarray(boxes, np.float32)):
        side = max(square_side(box, margin), 1.0)
        left = float(box[0] + box[2]) / 2 - side / 2
        top = float(box[1] + box[3]) / 2 - side / 2
        source, scale = image, size / side
        if scale < 0.6:
            x0, y0 = max(int(left) - 2, 0), max(int(top) - 2, 0)
            x1, y1 = min(int(left + side) + 3, width), min(int(top + side) + 3, height)
            if x1 > x0 and y1 > y0:
                shrink = scale * 1.25
                region = image[y0:y1, x0:x1]
                wide, high = max(int((x1 - x0) * shrink), 1), max(int((y1 - y0) * shrink), 1)
                source = cv2.resize(region, (wide, high), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
                fx, fy = wide / (x1 - x0), high / (y1 - y0)
                matrix = np.array(
                    [[scale / fx, 0, (x0 - left) * scale], [0, scale / fy, (y0 - top) * scale]], np.float32
                )
            else:
                matrix = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]], np.float32)
        else:
            matrix = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]], np.float32)
        cv2.warpAffine(
            source,
            matrix,
            (size, size),
            dst=crops[index],
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return crops
