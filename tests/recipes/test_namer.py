"""The namer's training: what turns the picture turns its up direction, and nothing is mirrored."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
namer_train = pytest.importorskip("namer_train", reason="the extra `train` is not installed")


def marked(count):
    """Crops with a red spot at the top and a green one on the right, of a known up direction."""
    pixels = np.full((count, 3, namer_train.CUT, namer_train.CUT), 60, np.uint8)
    middle = namer_train.CUT // 2
    pixels[:, 0, middle - 24 : middle - 14, middle - 5 : middle + 5] = 255
    pixels[:, 1, middle - 5 : middle + 5, middle + 14 : middle + 24] = 255
    return torch.from_numpy(pixels), torch.tensor([[0.0, -1.0]]).repeat(count, 1)


def centre(plane):
    weight = (plane - plane.median()).clamp_min(0) ** 2
    ys, xs = torch.meshgrid(torch.arange(plane.shape[0]), torch.arange(plane.shape[1]), indexing="ij")
    return torch.stack([(xs * weight).sum(), (ys * weight).sum()]) / weight.sum()


def test_up_turns_with_the_picture_and_right_stays_right():
    torch.manual_seed(3)
    pixels, up = marked(48)
    turned, turned_up = namer_train.augment(pixels, up)
    agree = unmirrored = seen = 0
    for picture, direction in zip(turned, turned_up, strict=True):
        spot = picture[0] - picture[1]
        other = picture[1] - picture[0]
        if float(spot.max() - spot.median()) < 0.15 or float(other.max() - other.median()) < 0.15:
            continue  # turned grey, or hidden by a patch
        across = centre(other) - centre(spot)
        seen += 1
        # From the spot at the top to the one on the right is down and to the right of it: clear of up.
        right = torch.stack([-direction[1], direction[0]])
        agree += float(across @ direction) < 0
        unmirrored += float(across @ right) > 0
    assert seen >= 15
    # Noise, blur and patches move some spots; a wrong sign would leave next to none.
    assert agree / seen > 0.8
    assert unmirrored / seen > 0.8


def test_unknown_up_stays_unknown():
    pixels, up = marked(4)
    _, turned = namer_train.augment(pixels, up * 0)
    assert float(turned.abs().max()) == 0
