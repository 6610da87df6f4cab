"""Training of the namer: crops in memory, heavy augmentation on the whole batch, all heads at once."""

from __future__ import annotations

import argparse
import math
import time

import torch
import torch.nn.functional as F
from faces import CODES
from namer_data import CUT, KEPT, MARGIN, Crops, drawn_crops, face_crops, photo_crops, plain, scene_crops
from namer_net import SIZE, Namer
from torch import Tensor

# Side in pixels of the coarsest blur: below it no one can read a face.
COARSEST = 22


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


def placed(crops: Crops, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Pixels (0..1), up and corners of chosen crops turned, tilted, scaled and shifted; never mirrored."""
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
    return x, up, either_way(crops.corners[chosen] @ move.transpose(1, 2) + shift.transpose(1, 2))


def spoiled(x: Tensor) -> Tensor:
    """Crops blurred, recoloured, noisy and with hidden patches."""
    n = len(x)
    if torch.rand(1) < 0.5:
        k = int(torch.randint(COARSEST, SIZE - 8, (1,)))
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
        h = int(torch.randint(SIZE // 10, SIZE // 3, (1,)))
        top, left = (int(v) for v in torch.randint(0, SIZE - h, (2,)))
        x[:, :, top : top + h, left : left + h] = torch.rand(n, 3, 1, 1)
    return x.clamp(0, 1)


def either_way(corners: Tensor) -> Tensor:
    """Corners (n, 4, 2) in an order that is the same for a face and for the same face upside down.

    Many faces look alike both ways, and of two answers a net learns the mean. So the side that comes first is
    the one that points up or, for a tile on its side, right: the order changes where a tile lies half way
    between, as hardly any does. nan stays nan.
    """
    up = corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]
    turned = (up[:, 0] - up[:, 1] < 0)[:, None, None]
    return torch.where(turned, corners.roll(2, 1), corners)


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
    if args.drawn:
        parts.append(drawn_crops(args.drawn))
    print("crops", [len(part.classes) for part in parts], flush=True)
    rest = [
        torch.cat([getattr(part, name) for part in parts])
        for name in ("classes", "up", "corners", "outline", "counts")
    ]
    pixels = torch.empty(len(rest[0]), 3, CUT, CUT, dtype=torch.uint8)
    start = 0
    while parts:  # one after the other: together they would fill the memory twice
        part = parts.pop(0)
        pixels[start : start + len(part.pixels)] = part.pixels
        start += len(part.pixels)
    return Crops(pixels, *rest)


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
        known = torch.load(args.resume, weights_only=True)
        same = {name for name, value in net.state_dict().items() if name in known}
        same = {name for name in same if known[name].shape == net.state_dict()[name].shape}
        net.load_state_dict({name: known[name] for name in same}, strict=False)  # heads may be new
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
            x, up, corners = placed(crops, chosen)
            logits, seen_up, seen_corners = net(spoiled(x))
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
