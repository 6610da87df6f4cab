"""The namer's training: what turns the picture turns its up direction, and nothing is mirrored."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
namer_data = pytest.importorskip("namer_data", reason="the extra `train` is not installed")
namer_train = pytest.importorskip("namer_train", reason="the extra `train` is not installed")


def marked(count):
    """Crops with a red spot at the top and a green one on the right, of a known up direction."""
    pixels = np.full((count, 3, namer_data.CUT, namer_data.CUT), 60, np.uint8)
    middle = namer_data.CUT // 2
    pixels[:, 0, middle - 24 : middle - 14, middle - 5 : middle + 5] = 255
    pixels[:, 1, middle - 5 : middle + 5, middle + 14 : middle + 24] = 255
    corners = torch.tensor([[-0.5, -0.6], [0.5, -0.6], [0.5, 0.6], [-0.5, 0.6]]).repeat(count, 1, 1)
    up = torch.tensor([[0.0, -1.0]]).repeat(count, 1)
    ones = torch.ones(count)
    return namer_data.Crops(torch.from_numpy(pixels), ones.long(), up, corners, corners, ones)


def turned_about(crops):
    return namer_train.placed(crops, torch.arange(len(crops.classes)))


def centre(plane):
    weight = (plane - plane.median()).clamp_min(0) ** 2
    ys, xs = torch.meshgrid(torch.arange(plane.shape[0]), torch.arange(plane.shape[1]), indexing="ij")
    return torch.stack([(xs * weight).sum(), (ys * weight).sum()]) / weight.sum()


def test_up_turns_with_the_picture_and_right_stays_right():
    torch.manual_seed(3)
    turned, turned_up, _ = turned_about(marked(48))
    agree = unmirrored = seen = 0
    for picture, direction in zip(turned, turned_up, strict=True):
        spot = picture[0] - picture[1]
        other = picture[1] - picture[0]
        if float(spot.max() - spot.median()) < 0.15 or float(other.max() - other.median()) < 0.15:
            continue  # shifted out of the crop
        across = centre(other) - centre(spot)
        seen += 1
        # From the spot at the top to the one on the right is down and to the right of it: clear of up.
        right = torch.stack([-direction[1], direction[0]])
        agree += float(across @ direction) < 0
        unmirrored += float(across @ right) > 0
    assert seen >= 40
    assert agree == seen
    assert unmirrored == seen


def test_unknown_up_stays_unknown():
    crops = marked(4)
    crops.up, crops.corners = crops.up * 0, crops.corners * torch.nan
    _, turned, moved = turned_about(crops)
    assert float(turned.abs().max()) == 0
    assert bool(moved.isnan().all())


def test_corners_go_with_the_picture():
    torch.manual_seed(5)
    turned, turned_up, moved = turned_about(marked(64))
    across = moved[:, 1] - moved[:, 0]
    upward = (moved[:, 0] + moved[:, 1] - moved[:, 2] - moved[:, 3]) / 2
    # Clockwise from the top left: up and across make a right-handed pair in pixels (y down).
    assert bool((across[:, 0] * -upward[:, 1] + across[:, 1] * upward[:, 0] > 0).all())
    # They are told in an order that is the same for a face upside down (`either_way`).
    along = torch.nn.functional.cosine_similarity(upward, turned_up)
    assert float(along.abs().min()) > 0.999
    # The red spot lies above the middle of the corners, at a third of the way to the edge.
    near = 0
    for picture, quad, way in zip(turned, moved, along.sign(), strict=True):
        spot = picture[0] - picture[1]
        if float(spot.max() - spot.median()) < 0.3:
            continue
        at = centre(spot) / (namer_data.SIZE / 2) - 1
        due = quad.mean(0) + way * (quad[0] + quad[1] - quad[2] - quad[3]) / 4 * (19 / 52 / 0.6)
        near += float((at - due).norm()) < 0.25
    assert near >= 20


def test_the_corners_of_a_crop_are_counted_from_its_middle():
    within = namer_data._within([10, 20, 30, 60], [[10, 20], [30, 20], [30, 60], [10, 60]])
    half = 40 * namer_data.KEPT / 2
    assert within.tolist() == [
        [-10 / half, -20 / half],
        [10 / half, -20 / half],
        [10 / half, 20 / half],
        [-10 / half, 20 / half],
    ]


def test_a_turned_tile_fills_its_crop_as_its_new_box_would():
    torch.manual_seed(7)
    outline = torch.tensor([[-0.4, -0.6], [0.4, -0.6], [0.4, 0.6], [-0.4, 0.6]]).repeat(500, 1, 1)
    seen = outline @ namer_train.moves(outline).transpose(1, 2)
    longer = (seen.amax(1) - seen.amin(1)).amax(1)
    # The crop is kept so that a box with a longer side of 2 / KEPT has its margin; this outline is larger.
    due = 1.2 * namer_data.KEPT / namer_data.MARGIN
    assert float(longer.min()) >= due / 1.2 - 1e-4
    assert float(longer.max()) <= due / 0.85 + 1e-4


def test_crops_to_check_with_are_cut_as_serving_cuts():
    tile = np.zeros((1, 3, namer_data.CUT, namer_data.CUT), np.uint8)
    side = namer_data.CUT / namer_data.KEPT
    low, high = round((namer_data.CUT - side) / 2), round((namer_data.CUT + side) / 2)
    tile[:, :, low:high, low:high] = 255
    seen = namer_data.plain(torch.from_numpy(tile))
    assert seen.shape[-1] == namer_data.SIZE
    assert float(seen[0, 0, namer_data.SIZE // 2].sum()) == pytest.approx(
        namer_data.SIZE / namer_data.MARGIN, abs=1.5
    )


def test_spoiled_crops_stay_pictures():
    torch.manual_seed(9)
    crops = torch.rand(16, 3, namer_data.SIZE, namer_data.SIZE)
    for _ in range(8):
        seen = namer_train.spoiled(crops)
        assert seen.shape == crops.shape
        assert float(seen.min()) >= 0
        assert float(seen.max()) <= 1
        assert float((seen - crops).abs().mean()) > 0.01


def test_drawn_faces_fill_their_crops_and_flowers_come_most():
    crops = namer_data.drawn_crops(6)
    names = [namer_data.CODES[int(k)] for k in crops.classes]
    assert sum(name[-1] == "f" for name in names) > len(names) / 4
    assert "0x" not in names
    middle = crops.pixels[:, :, namer_data.CUT // 2 - 20 : namer_data.CUT // 2 + 20]
    assert float((middle.float().std((1, 2, 3)) > 5).float().mean()) > 0.9, "something is drawn on each"
