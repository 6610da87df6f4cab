"""Training of the namer: crops in memory, heavy augmentation on the whole batch, all heads at once."""

from __future__ import annotations

import argparse
import json
import math
import re
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from faces import CODES
from namer_net import SIZE, Namer
from numpy.typing import NDArray
from torch import Tensor

from vision.crops import cut

# A crop is kept with what lies around it, so that a turned tile shows its neighbours, not a smeared border.
# Both margins are of the box's longer side.
CUT = 104
KEPT = 1.6
MARGIN = 1.12
# Sides in pixels of the smallest tile of a scene that is trained on, and of the coarsest blur: below them no
# one can read a face, and a crop that cannot be read teaches nothing.
SMALLEST = 18
COARSEST = 22


@dataclass
class Crops:
    """Crops (n, 3, CUT, CUT) uint8 RGB, class numbers (n,), up vectors (n, 2) that are zero where unknown,
    corners of the face (n, 4, 2) that are nan where unknown (see models/namer_net.py), the outline (n, 4, 2)
    that tells how a tile's box grows when it is turned, and how much each crop counts (n,). Points are seen
    from the middle of the crop, -1..1 at its edges."""

    pixels: Tensor
    classes: Tensor
    up: Tensor
    corners: Tensor
    outline: Tensor
    counts: Tensor

    @staticmethod
    def of(
        pixels: list[NDArray[np.uint8]],
        classes: list[int],
        up: list[tuple[float, float]],
        outline: list[NDArray[np.float64]],
        faces_known: bool = False,
        count: float = 1.0,
    ) -> Crops:
        """`outline`: the corners of the faces if `faces_known`, else those of the boxes."""
        stacked = np.concatenate(pixels)[:, :, :, ::-1].transpose(0, 3, 1, 2)
        points = torch.tensor(np.array(outline), dtype=torch.float32)
        return Crops(
            torch.from_numpy(np.ascontiguousarray(stacked)),
            torch.tensor(classes),
            torch.tensor(up, dtype=torch.float32),
            points if faces_known else torch.full_like(points, math.nan),
            points,
            torch.full((len(classes),), count),
        )


def _within(box: list[float], corners: list[list[float]]) -> NDArray[np.float64]:
    """Corners in pixels of the photo, as seen from the middle of the crop around `box`."""
    x0, y0, x1, y1 = box
    half = max(x1 - x0, y1 - y0) * KEPT / 2
    within: NDArray[np.float64] = (np.array(corners) - [(x0 + x1) / 2, (y0 + y1) / 2]) / half
    return within


def _edges(wide: float, high: float) -> NDArray[np.float64]:
    """The corners of a box of this shape, as seen from the middle of the crop around it."""
    across, along = wide / max(wide, high) / KEPT, high / max(wide, high) / KEPT
    return np.array([[-across, -along], [across, -along], [across, along], [-across, along]])


def _side(box: list[float]) -> float:
    """The longer side of a box."""
    return max(box[2] - box[0], box[3] - box[1])


def held_out(name: str, one_in: int) -> bool:
    """Whether a photo is one of those kept out of training, the same in every run; all versions of a photo
    (NAME_0, NAME_1, ...) go together."""
    return one_in > 0 and zlib.crc32(re.sub(r"_\d$", "", name).encode()) % one_in == 0


def photo_crops(root: Path, split: str, one_in: int = 0, held: bool = False, count: float = 1.0) -> Crops:
    """Crops around the labelled tiles of photos in YOLO form; which way they are up is not known.

    With `one_in` without the photos that are held out, or, with `held`, of those alone.
    """
    pixels, classes, outline = [], [], []
    for path in sorted((root / "images" / split).glob("*.jpg")):
        if held_out(path.stem, one_in) is not held:
            continue
        image = cv2.imread(str(path))
        height, width = image.shape[:2]
        label = root / "labels" / split / f"{path.stem}.txt"
        rows = np.loadtxt(label, ndmin=2) if label.stat().st_size > 1 else np.zeros((0, 5))
        if not len(rows):
            continue
        centre, half = rows[:, 1:3] * [width, height], rows[:, 3:5] * [width, height] / 2
        pixels.append(cut(image, np.hstack([centre - half, centre + half]).astype(np.float32), CUT, KEPT))
        classes += rows[:, 0].astype(int).tolist()
        outline += [_edges(float(wide), float(high)) for wide, high in half]
    return Crops.of(pixels, classes, [(0.0, 0.0)] * len(classes), outline, count=count)


def scene_crops(root: Path) -> Crops:
    """Crops of rendered scenes, with their corners and up directions; a back has none."""
    pixels, classes, up, corners = [], [], [], []
    for line in (root / "scenes.jsonl").read_text().splitlines():
        record = json.loads(line)
        tiles = [t for t in record["tiles"] if _side(t["box"]) >= SMALLEST]
        if not tiles:
            continue
        image = cv2.imread(str(root / "images" / record["image"]))
        pixels.append(cut(image, np.array([t["box"] for t in tiles], np.float32), CUT, KEPT))
        classes += [CODES.index(t["tile"]) for t in tiles]
        up += [(0.0, 0.0) if t["tile"] == "0x" else tuple(t["up"]) for t in tiles]
        corners += [_within(t["box"], t["corners"]) for t in tiles]
    return Crops.of(pixels, classes, up, corners, faces_known=True)


def face_crops(root: Path, count: float = 1.0) -> Crops:
    """Crops of single upright faces, SOURCE/CODE_NN.jpg, on a plain ground."""
    pixels, classes, outline = [], [], []
    for path in sorted(root.glob("*/*.jpg")):
        image = cv2.imread(str(path))
        height, width = image.shape[:2]
        side = int(max(height, width) * KEPT)
        ground = np.full((side, side, 3), np.median(image, axis=(0, 1)) * 0.6, np.uint8)
        y, x = (side - height) // 2, (side - width) // 2
        ground[y : y + height, x : x + width] = image
        pixels.append(cv2.resize(ground, (CUT, CUT), interpolation=cv2.INTER_AREA)[None])
        classes.append(CODES.index(path.stem.split("_")[0]))
        outline.append(_edges(width, height))
    return Crops.of(pixels, classes, [(0.0, -1.0)] * len(classes), outline, count=count)


def _turn(angle: Tensor) -> Tensor:
    """Rotations (n, 2, 2) by angles (n,)."""
    c, s = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], 1)


def _reach(points: Tensor) -> Tensor:
    """The longer side (n,) of the boxes around points (n, m, 2)."""
    return (points.amax(1) - points.amin(1)).amax(1)


def moves(outline: Tensor) -> Tensor:
    """Random linear maps (n, 2, 2) of crops to what the network sees: turned over the full circle, tilted
    (narrower along any line), and scaled so that the tile's new box fills the crop as serving's boxes do, or
    a little more or less."""
    n = len(outline)
    angle = torch.rand(n) * 2 * math.pi
    angle = torch.where(torch.rand(n) < 0.5, (torch.rand(n) - 0.5) * 0.5, angle)
    line, flat = torch.rand(n) * math.pi, torch.empty(n).uniform_(0.6, 1.0)
    flat = torch.where(torch.rand(n) < 0.4, torch.ones(n), flat)
    tilt = _turn(line) @ torch.diag_embed(torch.stack([flat, torch.ones(n)], -1)) @ _turn(-line)
    move = tilt @ _turn(angle)
    grown = _reach(outline @ move.transpose(1, 2)) / _reach(outline)
    scale = KEPT / MARGIN / grown / torch.empty(n).uniform_(0.85, 1.2)
    return move * scale[:, None, None]


def augment(crops: Crops, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Pixels, up and corners of chosen crops as the network is to see them: turned, tilted, scaled and
    shifted; blurred, recoloured, noisy and with hidden patches. Never mirrored.
    """
    n = len(chosen)
    x, up = crops.pixels[chosen].float() / 255, crops.up[chosen]
    move = moves(crops.outline[chosen])
    back = torch.linalg.inv(move)  # the grid asks where each pixel of the result comes from
    shift = (torch.rand(n, 2, 1) - 0.5) * 0.25
    moved = torch.cat([back, -back @ shift], 2)
    grid = F.affine_grid(moved, [n, 3, SIZE, SIZE], align_corners=False)
    x = F.grid_sample(x, grid, padding_mode="border", align_corners=False)
    turned = (move @ up[:, :, None])[:, :, 0]
    up = turned / turned.norm(dim=1, keepdim=True).clamp_min(1e-6) * (up.norm(dim=1, keepdim=True) > 0)
    corners = crops.corners[chosen] @ move.transpose(1, 2) + shift.transpose(1, 2)
    if torch.rand(1) < 0.5:
        k = int(torch.randint(COARSEST, 56, (1,)))
        x = F.interpolate(
            F.interpolate(x, size=(k, k), mode="area"),
            size=(SIZE, SIZE),
            mode="bilinear",
            align_corners=False,
        )
    x = x * torch.empty(n, 3, 1, 1).uniform_(0.75, 1.25) + torch.empty(n, 1, 1, 1).uniform_(-0.2, 0.2)
    mean = x.mean((2, 3), keepdim=True)
    x = (x - mean) * torch.empty(n, 1, 1, 1).uniform_(0.5, 1.5) + mean
    grey = torch.where(torch.rand(n, 1, 1, 1) < 0.2, torch.ones(n, 1, 1, 1), torch.rand(n, 1, 1, 1) * 0.4)
    x = x * (1 - grey) + x.mean(1, keepdim=True) * grey
    x = x + torch.randn_like(x) * torch.rand(n, 1, 1, 1) * 0.08
    if torch.rand(1) < 0.3:
        h = int(torch.randint(6, 20, (1,)))
        top, left = (int(v) for v in torch.randint(0, SIZE - h, (2,)))
        x[:, :, top : top + h, left : left + h] = torch.rand(n, 3, 1, 1)
    return x.clamp(0, 1), up, either_way(corners)


def either_way(corners: Tensor) -> Tensor:
    """Corners (n, 4, 2) in an order that is the same for a face and for the same face upside down.

    Many faces look alike both ways, and of two answers a net learns the mean. So the side that comes first is
    the one that points up or, for a tile on its side, right: the order changes where a tile lies half way
    between, as hardly any does. nan stays nan.
    """
    up = corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]
    turned = (up[:, 0] - up[:, 1] < 0)[:, None, None]
    return torch.where(turned, corners.roll(2, 1), corners)


def plain(pixels: Tensor) -> Tensor:
    """Crops as serving sees them: no more around them than its margin, at the network's size, 0..1."""
    edge = round(CUT * (1 - MARGIN / KEPT) / 2)
    within = pixels[:, :, edge : CUT - edge, edge : CUT - edge]
    return F.interpolate(within.float() / 255, size=(SIZE, SIZE), mode="area")


@torch.no_grad()
def accuracy(net: Namer, crops: Crops) -> tuple[float, float]:
    """Share named right, and share of known up directions that are right within 45 degrees (nan if none is
    known).
    """
    net.eval()
    names, ups = [], []
    for start in range(0, len(crops.classes), 256):
        logits, up, _ = net(plain(crops.pixels[start : start + 256]))
        names.append(logits.argmax(1))
        ups.append(up)
    net.train()
    known = crops.up.norm(dim=1) > 0
    up = torch.cat(ups)
    cosine = F.cosine_similarity(up[known], crops.up[known], dim=1)
    right_up = float((cosine > math.cos(math.pi / 4)).float().mean()) if bool(known.any()) else math.nan
    return float((torch.cat(names) == crops.classes).float().mean()), right_up


@torch.no_grad()
def temperature(net: Namer, parts: list[Crops]) -> float:
    """What the logits must be divided by for probabilities to be honest on crops never trained on: the
    least negative log likelihood, each part weighing the same.

    Guo et al., On Calibration of Modern Neural Networks, 2017.
    """
    net.eval()
    logits = [
        torch.cat([net(plain(part.pixels[i : i + 256]))[0] for i in range(0, len(part.classes), 256)])
        for part in parts
    ]
    net.train()
    tried = torch.linspace(math.log(0.3), math.log(3), 231).exp()
    losses = torch.stack(
        [
            sum(F.cross_entropy(each / t, part.classes) for each, part in zip(logits, parts, strict=True))
            for t in tried
        ]
    )
    return float(tried[int(losses.argmin())])


def _joined(args: argparse.Namespace) -> Crops:
    parts = []
    if args.photos:
        parts.append(photo_crops(args.photos, "train", args.hold_out, count=args.real))
    parts += [scene_crops(folder) for folder in args.scenes or ()]
    if args.faces:
        parts.append(face_crops(args.faces, count=10.0))
    print("crops", [len(part.classes) for part in parts], flush=True)
    return Crops(
        *(
            torch.cat([getattr(part, name) for part in parts])
            for name in ("pixels", "classes", "up", "corners", "outline", "counts")
        )
    )


def _checks(args: argparse.Namespace) -> dict[str, Crops]:
    checks = {}
    if args.photos and (args.photos / "images" / "val").exists():
        checks["val"] = photo_crops(args.photos, "val")
    if args.photos and args.hold_out:
        checks["held"] = photo_crops(args.photos, "train", args.hold_out, held=True)
    if args.check:
        checks["check"] = face_crops(args.check)
    return checks


def train(args: argparse.Namespace) -> None:
    """Train for `args.epochs`, or for `args.minutes` with a learning rate that falls with the time; one
    checkpoint an epoch.
    """
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    crops, checks = _joined(args), _checks(args)
    net = Namer(args.weights)
    if args.resume:
        net.load_state_dict(torch.load(args.resume, weights_only=True), strict=False)  # heads may be new
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.02)
    count = torch.bincount(crops.classes, crops.counts, minlength=len(CODES))
    weight = (1 / count.clamp_min(50).sqrt())[crops.classes] * crops.counts
    steps = len(crops.classes) // args.batch
    started, epoch, done = time.monotonic(), 0, 0.0
    while done < 1:
        order = torch.multinomial(weight, steps * args.batch, replacement=True)
        total = 0.0
        for step in range(steps):
            passed = (
                (time.monotonic() - started) / 60 / args.minutes
                if args.minutes
                else (epoch + step / steps) / args.epochs
            )
            done = min(passed, 1.0)
            rate = args.rate * min(done / 0.06 + 0.02, 1.0) * (0.5 + 0.5 * math.cos(math.pi * done) + 0.002)
            for group in optimizer.param_groups:
                group["lr"] = rate
            chosen = order[step * args.batch : (step + 1) * args.batch]
            x, up, corners = augment(crops, chosen)
            logits, seen_up, seen_corners = net(x)
            loss = F.cross_entropy(logits, crops.classes[chosen], label_smoothing=0.05)
            known = up.norm(dim=1) > 0
            if bool(known.any()):
                loss = loss + 0.5 * F.mse_loss(seen_up[known], up[known])
            known = corners.isfinite().all(2).all(1)
            if bool(known.any()):
                loss = loss + 0.5 * F.l1_loss(seen_corners[known], corners[known])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += float(loss.detach())
            if done >= 1:
                break
        epoch += 1
        torch.save(net.state_dict(), args.out / "namer.pt")
        judged = " ".join(
            f"{name} {100 * a:.2f} (up {100 * u:.1f})"
            for name, (a, u) in ((n, accuracy(net, c)) for n, c in checks.items())
        )
        print(
            f"epoch {epoch} done {done:.2f} loss {total / (step + 1):.3f}",
            f"{time.monotonic() - started:.0f}s {judged}",
            flush=True,
        )
        done = 1.0 if not args.minutes and epoch >= args.epochs else done
    unseen = [checks[name] for name in ("held", "check") if name in checks]
    if unseen:
        net.temperature.fill_(temperature(net, unseen))
        torch.save(net.state_dict(), args.out / "namer.pt")
        print(f"temperature {float(net.temperature):.3f}", flush=True)
