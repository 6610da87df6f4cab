"""Train one of the two models, the finder or the namer.

The finder is a YOLO that says where tiles lie (face or back); the namer a small network that says which
tile an upright, sideways or upside-down crop shows and which way its top points. Both take photos in YOLO
form (images/, labels/ with the 47 classes of datasets/faces.py) and scenes of datasets/render.py. Nothing
is mirrored.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path[:0] = [
    str(Path(__file__).parent),
    str(Path(__file__).parents[1] / "datasets"),
    str(Path(__file__).parents[1]),
]


def train_finder(args: argparse.Namespace) -> None:
    """Train the finder."""
    from finder_train import train

    train(args)


def train_namer(args: argparse.Namespace) -> None:
    """Train the namer; see models/namer_net.py for the network and models/namer_data.py for its crops."""
    from namer_train import train

    train(args)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, metavar="MODEL")
    for name, run, about in (
        ("finder", train_finder, "where the tiles are"),
        ("namer", train_namer, "which tile a crop shows"),
    ):
        command = commands.add_parser(
            name, help=about, formatter_class=argparse.ArgumentDefaultsHelpFormatter
        )
        command.set_defaults(run=run)
        command.add_argument(
            "--photos",
            type=Path,
            help="photos in YOLO form: images/{train,val}, labels/{train,val}, 47 classes",
        )
        command.add_argument(
            "--scenes", type=Path, action="append", help="scenes made by datasets/render.py; may be repeated"
        )
        command.add_argument("--out", type=Path, required=True, help="folder for checkpoints and logs")
        command.add_argument("--minutes", type=float, help="train for this long instead of --epochs")
        command.add_argument("--threads", type=int, default=2)
        command.add_argument("--seed", type=int, default=0)
        if name == "finder":
            command.add_argument(
                "--weights",
                type=Path,
                required=True,
                help="start weights (a COCO checkpoint) or a run to go on from",
            )
            command.add_argument("--size", type=int, default=512, help="training size in pixels")
            command.add_argument("--batch", type=int, default=16)
            command.add_argument("--epochs", type=int, default=8)
            command.add_argument(
                "--mosaic", type=float, default=0.2, help="share of mosaics of four pictures"
            )
            command.add_argument(
                "--freeze", type=int, default=0, help="how many of the first layers stay as they are"
            )
            command.add_argument(
                "--turned", type=float, default=0.5, help="share of pictures turned over the full circle"
            )
            command.add_argument("--relabelled", type=Path, help="what models/relabel.py wrote")
            command.add_argument("--rate", type=float, default=0.0015, help="learning rate at the start")
            command.add_argument("--last-rate", type=float, default=0.00003, help="and at the end")
            command.add_argument(
                "--bf16",
                action="store_true",
                help="compute in bfloat16: twice as fast where the CPU has it, far slower elsewhere",
            )
        else:
            command.add_argument("--faces", type=Path, help="real faces cut out, SOURCE/CODE_NN.jpg")
            command.add_argument(
                "--drawn", type=int, default=0, help="sets of this project's own drawing to cut faces from"
            )
            command.add_argument("--check", type=Path, help="faces to check with only, SOURCE/CODE_NN.jpg")
            command.add_argument("--batch", type=int, default=128)
            command.add_argument("--epochs", type=int, default=12)
            command.add_argument("--weights", type=Path, help="COCO checkpoint of YOLO11n to start from")
            command.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
            command.add_argument("--resume", type=Path, help="checkpoint to start from")
            command.add_argument("--real", type=int, default=2, help="how often real crops count")
            command.add_argument(
                "--hold-out",
                type=int,
                default=20,
                help="one in so many photos is not trained on; they and the faces to check with set the "
                "temperature",
            )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    args.run(args)


if __name__ == "__main__":
    main()
