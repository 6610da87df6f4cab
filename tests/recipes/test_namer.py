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
    corners = torch.tensor([[-0.5, -0.6], [0.5, -0.6], [0.5, 0.6], [-0.5, 0.6]])
    return torch.from_numpy(pixels), torch.tensor([[0.0, -1.0]]).repeat(count, 1), corners.repeat(count, 1, 1)


def centre(plane):
    weight = (plane - plane.median()).clamp_min(0) ** 2
    ys, xs = torch.meshgrid(torch.arange(plane.shape[0]), torch.arange(plane.shape[1]), indexing="ij")
    return torch.stack([(xs * weight).sum(), (ys * weight).sum()]) / weight.sum()


def test_up_turns_with_the_picture_and_right_stays_right():
    torch.manual_seed(3)
    pixels, up, corners = marked(48)
    turned, turned_up, _ = namer_train.augment(pixels, up, corners)
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
    pixels, up, corners = marked(4)
    _, turned, moved = namer_train.augment(pixels, up * 0, corners * torch.nan)
    assert float(turned.abs().max()) == 0
    assert bool(moved.isnan().all())


def test_corners_go_with_the_picture():
    torch.manual_seed(5)
    pixels, up, corners = marked(64)
    turned, turned_up, moved = namer_train.augment(pixels, up, corners)
    across = moved[:, 1] - moved[:, 0]
    upward = (moved[:, 0] + moved[:, 1] - moved[:, 2] - moved[:, 3]) / 2
    # Clockwise from the top left: up and across make a right-handed pair in pixels (y down).
    assert bool((across[:, 0] * -upward[:, 1] + across[:, 1] * upward[:, 0] > 0).all())
    assert float(torch.nn.functional.cosine_similarity(upward, turned_up).min()) > 0.999
    # The red spot lies above the middle of the corners, at a third of the way to the edge.
    near = 0
    for picture, quad in zip(turned, moved, strict=True):
        spot = picture[0] - picture[1]
        if float(spot.max() - spot.median()) < 0.3:
            continue
        at = centre(spot) / (namer_train.SIZE / 2) - 1
        due = quad.mean(0) + (quad[0] + quad[1] - quad[2] - quad[3]) / 4 * (19 / 36 / 0.6)
        near += float((at - due).norm()) < 0.25
    assert near >= 20


def test_the_corners_of_a_crop_are_counted_from_its_middle():
    within = namer_train._within([10, 20, 30, 60], [[10, 20], [30, 20], [30, 60], [10, 60]])
    half = 40 * namer_train.MARGIN / 2
    assert within.tolist() == [
        [-10 / half, -20 / half],
        [10 / half, -20 / half],
        [10 / half, 20 / half],
        [-10 / half, 20 / half],
    ]
