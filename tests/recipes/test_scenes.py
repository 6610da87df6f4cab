"""The renderer: deterministic, labels that fit the picture, directions that fit the corners."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import render
from blocks import hull_of
from drawn import drawn_set, usable_fonts
from faces import CODES, drawn_style, folder_style, held_out, styles
from layouts import KINDS, lay_out, melds, wall
from table import HALF, Block, Camera, aim, flat

from scorer.tiles import ALL_TILES

SIZE = 320


@pytest.fixture(scope="module")
def art(tmp_path_factory):
    """A style of faces in which every tile has the same drawing: a black bar near the top."""
    folder = tmp_path_factory.mktemp("art") / "bars"
    folder.mkdir()
    for code in CODES:
        face = np.zeros((320, 240, 4), np.uint8)
        face[20:90, 40:200, 3] = 255
        cv2.imwrite(str(folder / f"{code}.png"), face)
    return folder


def test_the_classes_are_the_tiles_in_their_order():
    assert tuple(str(tile) for tile in ALL_TILES) == CODES


def test_the_same_seed_gives_the_same_scene_and_another_seed_another(art):
    found = [folder_style(art)]
    first, labels = render.scene(5, found, SIZE)
    again, labels_again = render.scene(5, found, SIZE)
    other, _ = render.scene(6, found, SIZE)
    assert np.array_equal(first, again)
    assert labels == labels_again
    assert not np.array_equal(first, other)


def test_labels_lie_in_the_picture_and_hold_their_face(art):
    held = total = 0
    for seed in range(6):
        picture, labels = render.scene(seed, [folder_style(art)], SIZE)
        assert picture.shape == (SIZE, SIZE, 3)
        for label in labels:
            x0, y0, x1, y1 = label.box
            assert 0 <= x0 < x1 <= SIZE
            assert 0 <= y0 < y1 <= SIZE
            corners = np.array(label.corners)
            across = corners[1] - corners[0]
            # Its right-hand side lies to the right of up, or the face would be mirrored.
            assert across[0] * -label.up[1] - across[1] * -label.up[0] > 0
            assert np.hypot(*label.up) == pytest.approx(1)
            # Corners are those of the face without its rounding, so they stand out a little.
            slack = 1 + 0.06 * (corners.max(0) - corners.min(0))
            inside = corners.clip(0, SIZE)
            total += 1
            low, high = np.array([x0, y0]) - slack, np.array([x1, y1]) + slack
            held += bool((inside >= low).all() and (inside <= high).all())
    assert total > 60
    assert held / total > 0.75  # of the others a neighbour or a hand hides a part


def test_the_drawing_lies_on_the_side_to_which_up_points(art):
    """The bar is near the top of each face, so the upper half of a face is darker than the lower."""
    right = total = 0
    for seed in range(6):
        picture, labels = render.scene(seed, [folder_style(art)], 640)
        grey = picture.mean(axis=2)
        for label in labels:
            corners = np.array(label.corners)
            if label.code in ("0x", "5z") or corners.min() < 2 or corners.max() > 637:
                continue
            if np.linalg.norm(corners[0] - corners[3]) < 24:
                continue
            middle = corners.mean(axis=0)
            top = middle + (corners[:2].mean(axis=0) - middle) * 0.5
            bottom = middle + (corners[2:].mean(axis=0) - middle) * 0.5
            total += 1
            right += grey[int(top[1]), int(top[0])] < grey[int(bottom[1]), int(bottom[0])]
    assert total > 30
    assert right / total > 0.9  # the rest are covered by a neighbour or lie in glare


def test_yolo_lines_say_the_box_as_shares():
    label = render.Label("7z", (10.0, 20.0, 30.0, 60.0), ((0.0, 0.0),) * 4, (0.0, -1.0))
    assert render.yolo([label], 100) == f"{CODES.index('7z')} 0.200000 0.400000 0.200000 0.400000\n"


@pytest.mark.parametrize("kind", [kind for kind, _ in KINDS if kind.__name__ != "_scattered"])
def test_flat_tiles_do_not_run_into_each_other(kind):
    """Heaps apart, whose tiles lean on each other."""
    for seed in range(12):
        layout = kind(np.random.default_rng(seed), HALF)
        assert layout.blocks
        low = [b for b in layout.blocks if b.centre[2] == HALF[2] and b.axes[2][2] > 0.999]
        for i, one in enumerate(low):
            for other in low[i + 1 :]:
                assert np.hypot(*(one.centre - other.centre)[:2]) > 2.3


def test_no_tile_sinks_into_the_table():
    for seed in range(40):
        for block in lay_out(np.random.default_rng(seed), HALF).blocks:
            assert isinstance(block, Block)
            lowest = block.centre[2] - np.abs(block.axes[:, 2] * HALF).sum()
            assert lowest > -0.35  # tiles of a heap are tilted a little


def test_axes_are_right_handed_so_that_no_face_is_mirrored():
    for seed in range(40):
        for block in lay_out(np.random.default_rng(seed), HALF).blocks:
            assert np.linalg.det(block.axes) == pytest.approx(1)


def test_claimed_sets_have_turned_tiles_and_concealed_kongs_backs():
    turned = hidden = 0
    for seed in range(20):
        laid = melds(np.random.default_rng(seed), HALF, 4, 0.0)
        turned += sum(abs(b.axes[0][0]) < 0.3 for b in laid)
        hidden += sum(b.code == "0x" for b in laid)
    assert turned > 15
    assert hidden > 15


def test_a_wall_is_two_high_with_backs_up():
    laid = wall(np.random.default_rng(3), HALF, 8, (0.0, 0.0), 0.0)
    heights = [round(float(b.centre[2]), 3) for b in laid]
    assert {b.code for b in laid} == {"0x"}
    assert heights.count(round(3 * HALF[2], 3)) >= 6


def test_a_camera_sees_its_target_in_the_middle_and_cuts_what_lies_behind_it():
    target = np.array([2.0, -1.0, 0.0])
    camera = aim(np.random.default_rng(0), target, 0.7, 0.2, 40.0, 640)
    assert np.allclose(camera.project(target), camera.centre)
    assert np.allclose(camera.plane(0.0) @ [2.0, -1.0, 1.0] / (camera.plane(0.0) @ [2.0, -1.0, 1.0])[2],
                       [*camera.centre, 1.0])  # fmt: skip
    behind = camera.eye + (camera.eye - target)
    aside, ahead = np.array([1.0, 0, 0]), np.array([0, 5.0, 0])
    assert len(camera.polygon(np.array([behind, behind + aside, behind + ahead]))) == 0
    through = camera.polygon(np.array([target, behind, behind + ahead]))
    assert len(through) >= 3
    assert np.isfinite(through).all()


def test_a_label_is_the_box_of_what_a_neighbour_leaves_to_be_seen(art):
    """Two tiles, one in front of the other: the hidden one's box ends where the front one begins."""
    look = render.look_of(np.random.default_rng(1), [folder_style(art)])
    half = look.half
    camera = Camera(np.array([0.0, 0.0, 60.0]), np.diag([1.0, -1.0, -1.0]), 900.0, (160.0, 160.0))
    low = Block("1m", np.array([0.0, 0.0, half[2]]), flat(0))
    high = Block("2m", np.array([1.0 * half[0], 0.0, 3.2 * half[2]]), flat(0))
    hulls = [hull_of(camera, b, look) for b in (low, high)]
    free = render.labels_of(camera, [low], hulls[:1], look, np.zeros((SIZE, SIZE), np.uint8))
    both = render.labels_of(camera, [low, high], hulls, look, np.zeros((SIZE, SIZE), np.uint8))
    assert [t.code for t in both] == ["1m", "2m"]
    assert both[0].box[2] < free[0].box[2] - 10
    assert both[0].box[0] == pytest.approx(free[0].box[0], abs=1.5)
    assert both[0].corners == free[0].corners
    hidden = np.full((SIZE, SIZE), 255, np.uint8)
    assert not render.labels_of(camera, [low, high], hulls, look, hidden)


def test_no_faces_at_all_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="no tile faces"):
        styles(None, None, [tmp_path / "absent.ttf"])


@pytest.fixture(scope="module")
def fonts():
    found = usable_fonts()
    if not found:
        pytest.skip("no font with Chinese characters installed")
    return found


def test_drawn_sets_have_every_face_and_repeat(fonts):
    for seed in (0, 5, 9):
        draw, again = drawn_set(seed, fonts), drawn_set(seed, fonts)
        for code in (*CODES, "0m", "0p", "0s"):
            face = draw(code)
            if face is None:
                assert code == "0x"  # most sets print nothing on their backs
                continue
            assert face.shape == (240, 180, 4)
            assert np.array_equal(face, again(code))
            if code not in ("5z", "0x"):
                assert (face[:, :, 3] > 128).mean() > 0.01, f"{code} of set {seed} is all but blank"


def test_no_two_tiles_of_a_drawn_set_look_alike(fonts):
    for seed in range(8):
        draw = drawn_set(seed, fonts)
        faces = {}
        for code in CODES[:-1]:
            ground = np.full((240, 180, 3), 230, np.float32)
            face = draw(code)
            alpha = face[:, :, 3:] / 255.0
            faces[code] = (ground * (1 - alpha) + face[:, :, :3] * alpha)[::4, ::4]
        codes = list(faces)
        for i, one in enumerate(codes):
            for other in codes[i + 1 :]:
                assert np.abs(faces[one] - faces[other]).mean() > 0.5, f"{one} and {other} of set {seed}"


def test_drawn_sets_differ(fonts):
    pictures = [drawn_set(seed, fonts)("5m").tobytes() for seed in range(12)]
    assert len(set(pictures)) == 12


def test_held_out_styles_never_train_and_have_their_own_fonts(fonts):
    training = styles(None, None, fonts, 60, "training")
    kept = styles(None, None, fonts, 60, "held-out")
    assert len(training) + len(kept) == 60
    assert 3 <= len(kept) <= 18
    assert not {s.name for s in training} & {s.name for s in kept}
    assert all(held_out(s.family) for s in kept)


def test_styles_of_one_maker_are_held_out_together(tmp_path):
    names = [f"maker{n}-{kind}" for n in range(40) for kind in ("a", "b")]
    families = {name: folder_style(tmp_path / name).family for name in names}
    assert all(held_out(families[f"maker{n}-a"]) == held_out(families[f"maker{n}-b"]) for n in range(40))
    assert 0 < sum(held_out(family) for family in families.values()) < 40


def test_red_fives_are_red(fonts):
    draw = drawn_style(2, fonts)
    for suit in "mps":
        face = draw(f"0{suit}").astype(float)
        inked = face[face[:, :, 3] > 200]
        assert inked[:, 2].mean() > inked[:, 0].mean() + 40
