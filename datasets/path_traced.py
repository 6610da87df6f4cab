"""Render labelled scenes with Blender's path tracer: python datasets/path_traced.py OUT --count 100

The same tables, tile sets and labels as `render.py`, but the light is traced: soft shadows, light that
one tile throws on the next, blur before and behind the focus. Slow (seconds a scene), and in an
environment of its own with Python 3.11: pip install bpy opencv-python-headless
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy  # isort: skip  (the modules below come to be when it is imported)

import bmesh
import cv2
import numpy as np
from blocks import hull_of
from faces import Style, styles
from finish import photograph
from layouts import Layout, lay_out
from looks import Look, face_texture, look_of
from mathutils import Matrix
from numpy.typing import NDArray
from render import Label, labels_of, yolo
from table import Array, Block, Camera, aim

Rng = np.random.Generator
Picture = NDArray[np.uint8]
SHARP = 2.0  # of the faces' textures: 240 x 320 pixels
UNCUT = (0.0, 0.0)  # no drawn shading of the engraving: the tracer shades it


def linear(bgr: Sequence[float] | Array) -> tuple[float, float, float, float]:
    """A colour of the screen (BGR, 0..255) as light: RGBA, 0..1."""
    b, g, r = ((float(v) / 255) ** 2.2 for v in bgr)
    return r, g, b, 1.0


def prepare(size: int, samples: int, threads: int) -> Any:
    """An empty scene with a path tracer that takes `samples` a pixel."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_denoising = "CPU", samples, True
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 2
    cycles.transmission_bounces = 0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
    scene.world = bpy.data.worlds.new("room")
    scene.world.use_nodes = True
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(scene.camera)
    return scene


def rounded(half: Array, radius: float) -> Any:
    """A block with rounded edges, its face at +z."""
    mesh, shape = bpy.data.meshes.new("tile"), bmesh.new()
    bmesh.ops.create_cube(shape, size=2.0)
    bmesh.ops.scale(shape, vec=[float(v) for v in half], verts=shape.verts)
    bmesh.ops.bevel(shape, geom=list(shape.edges), offset=radius, segments=4, profile=0.5, affect="EDGES")
    shape.to_mesh(mesh)
    shape.free()
    for polygon in mesh.polygons:
        polygon.use_smooth = polygon.area < 0.5 * float(half[0] * half[1])
    return mesh


def picture_of(texture: NDArray[np.float32]) -> Any:
    """A texture (BGR, cover) as an image of the tracer."""
    high, wide = texture.shape[:2]
    image = bpy.data.images.new("face", wide, high, alpha=False)
    pixels = np.ones((high, wide, 4), np.float32)
    pixels[:, :, :3] = texture[::-1, :, 2::-1] / 255
    image.pixels.foreach_set(np.ascontiguousarray(pixels.clip(0, 1)).ravel())
    image.pack()
    return image


def tile_material(look: Look, code: str, pick: int, rough: float) -> Any:
    """Layers from back to face, and the print engraved on the face."""
    material = bpy.data.materials.new(code)
    material.use_nodes = True
    tree = material.node_tree
    nodes, link = tree.nodes, tree.links.new
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = rough
    place, apart = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeSeparateXYZ")
    link(place.outputs["Generated"], apart.inputs[0])
    layers = nodes.new("ShaderNodeValToRGB")
    layers.color_ramp.interpolation = "CONSTANT"
    # A back is a block that lies with its other side up: its layers are turned over with it.
    order = look.layers if code == "0x" else look.layers[::-1]
    at = 0.0
    for index, (share, colour) in enumerate(order):
        stops = layers.color_ramp.elements
        stop = stops[index] if index < len(stops) else stops.new(min(at, 0.999))
        stop.position, stop.color = min(at, 0.999), linear(colour)
        at += share
    for index in range(len(layers.color_ramp.elements) - 1, len(order) - 1, -1):
        layers.color_ramp.elements[index].color = linear(order[-1][1])
    link(apart.outputs["Z"], layers.inputs[0])
    top = nodes.new("ShaderNodeMath")
    top.operation = "GREATER_THAN"
    top.inputs[1].default_value = 0.99
    link(apart.outputs["Z"], top.inputs[0])
    print_ = nodes.new("ShaderNodeTexImage")
    print_.image, print_.extension = picture_of(face_texture(look, code, UNCUT, pick, SHARP)), "EXTEND"
    link(place.outputs["Generated"], print_.inputs[0])
    mixed = nodes.new("ShaderNodeMix")
    mixed.data_type = "RGBA"
    link(top.outputs[0], mixed.inputs[0])
    link(layers.outputs[0], mixed.inputs[6])
    link(print_.outputs["Color"], mixed.inputs[7])
    link(mixed.outputs[2], surface.inputs["Base Color"])
    if look.engraving > 0.1 and code != "0x":
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = look.engraving, 0.04
        link(print_.outputs["Color"], bump.inputs["Height"])
        link(bump.outputs[0], surface.inputs["Normal"])
    return material


def table_top(rng: Rng) -> Any:
    """Felt, wood, stone or plain cloth, without end."""
    material = bpy.data.materials.new("table")
    material.use_nodes = True
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    kind = str(rng.choice(["felt", "wood", "stone", "plain"]))
    colour = (
        rng.uniform(10, 235, 3) if rng.random() < 0.6 else np.array([60, 110, 40]) * rng.uniform(0.5, 1.4)
    )
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    spread = {"felt": 0.8, "wood": 0.55, "stone": 0.7, "plain": 0.97}[kind]
    ramp.color_ramp.elements[0].color = linear((colour * spread).clip(0, 255))
    ramp.color_ramp.elements[1].color = linear(colour.clip(0, 255))
    if kind == "wood":
        texture = tree.nodes.new("ShaderNodeTexWave")
        texture.inputs["Scale"].default_value = float(rng.uniform(2, 9))
        texture.inputs["Distortion"].default_value = float(rng.uniform(2, 12))
    else:
        texture = tree.nodes.new("ShaderNodeTexNoise")
        texture.inputs["Scale"].default_value = {"felt": 900, "stone": 12, "plain": 300}[kind]
    tree.links.new(texture.outputs["Fac" if "Fac" in texture.outputs else 0], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.25, 0.6) if kind != "felt" else 0.95)
    return material


def add(name: str, mesh: Any, material: Any, place: Matrix) -> None:
    """One thing in the scene."""
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    if not mesh.materials:
        mesh.materials.append(None)
    thing.material_slots[0].link = "OBJECT"
    thing.material_slots[0].material = material
    thing.matrix_world = place


def placed(block: Block) -> Matrix:
    """A block's axes and centre as the tracer wants them."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = block.axes.T, block.centre
    return Matrix(matrix.tolist())


def light_up(rng: Rng, scene: Any, target: Array) -> None:
    """One to three lamps and what the room adds."""
    for number in range(int(rng.integers(1, 4))):
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.size = float(rng.uniform(5, 50))
        lamp.energy = float(rng.uniform(1.2e4, 4.5e4) / (number + 1))
        lamp.color = [float(v) for v in rng.uniform(0.75, 1, 3)]
        spot = target + np.array([*rng.uniform(-45, 45, 2), rng.uniform(28, 65)])
        away = spot - target
        away /= np.linalg.norm(away)
        side = np.cross([0.3, 0.9, 0.1], away)
        side /= np.linalg.norm(side)
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = np.stack([side, np.cross(away, side), away], 1), spot
        lit = bpy.data.objects.new("lamp", lamp)
        lit.matrix_world = Matrix(matrix.tolist())
        scene.collection.objects.link(lit)
    room = scene.world.node_tree.nodes["Background"]
    room.inputs[0].default_value = (*(float(v) for v in rng.uniform(0.55, 1, 3)), 1.0)
    room.inputs[1].default_value = float(rng.uniform(0.15, 0.7))


def look_through(rng: Rng, scene: Any, camera: Camera, target: Array, size: int) -> None:
    """Set the tracer's camera to ours."""
    right, down, forward = camera.rotation
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = np.stack([right, -down, -forward], 1), camera.eye
    scene.camera.matrix_world = Matrix(matrix.tolist())
    lens = scene.camera.data
    lens.sensor_width, lens.lens = 36.0, 36.0 * camera.focal / size
    lens.shift_x, lens.shift_y = 0.5 - camera.centre[0] / size, camera.centre[1] / size - 0.5
    lens.clip_end = 2000
    lens.dof.use_dof = bool(rng.random() < 0.7)
    lens.dof.focus_distance = float(np.linalg.norm(target - camera.eye) * rng.uniform(0.9, 1.1))
    lens.dof.aperture_fstop = float(rng.uniform(0.06, 0.4))


def clear(scene: Any) -> None:
    """Take everything but the camera away."""
    for thing in list(scene.collection.objects):
        if thing is not scene.camera:
            bpy.data.objects.remove(thing)
    for kind in (bpy.data.meshes, bpy.data.materials, bpy.data.lights, bpy.data.images):
        for item in list(kind):
            if not item.users or kind is bpy.data.images:
                kind.remove(item)


def traced(scene: Any, seed: int, found: list[Style], size: int, spool: Path) -> tuple[Picture, list[Label]]:
    """One scene, (size, size, 3) BGR, and its labels."""
    rng = np.random.default_rng(seed)
    look = look_of(rng, found)
    layout = lay_out(rng, look.half)
    layout = replace(
        layout, blocks=[b for b in layout.blocks if b.code in ("0x", "5z") or look.face(b.code) is not None]
    )
    if not layout.blocks:
        return traced(scene, seed + 1_000_003, found, size, spool)
    camera = aim(rng, layout.target, layout.elevation, layout.azimuth, layout.distance, size)
    clear(scene)
    _furnish(rng, look, layout)
    light_up(rng, scene, layout.target)
    look_through(rng, scene, camera, layout.target, size)
    scene.render.filepath = str(spool)
    bpy.ops.render.render(write_still=True)
    image = np.asarray(cv2.imread(str(spool)), np.uint8)
    blocks = sorted(layout.blocks, key=lambda b: -float(np.linalg.norm(b.centre - camera.eye)))
    hulls = [hull_of(camera, block, look) for block in blocks]
    labels = labels_of(camera, blocks, hulls, look, np.zeros((size, size), np.uint8))
    return photograph(rng, image), labels


def _furnish(rng: Rng, look: Look, layout: Layout) -> None:
    mesh, rough = rounded(look.half, look.radius), float(rng.uniform(0.12, 0.45))
    materials: dict[tuple[str, int], Any] = {}
    for block in layout.blocks:
        key = (block.code, int(rng.integers(3)) if look.red_fives or look.grain else 0)
        if key not in materials:
            materials[key] = tile_material(look, *key, rough)
        add("tile", mesh, materials[key], placed(block))
    ground = bpy.data.meshes.new("table")
    far = 400.0
    ground.from_pydata([(-far, -far, 0), (far, -far, 0), (far, far, 0), (-far, far, 0)], [], [(0, 1, 2, 3)])
    add("table", ground, table_top(rng), Matrix.Identity(4))
    for centre, half in layout.racks:
        add("rack", rounded(half, 0.15), table_top(rng), Matrix.Translation([float(v) for v in centre]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to write images/, labels/ and scenes.jsonl to")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=640, help="side of the square picture in pixels")
    parser.add_argument("--samples", type=int, default=12, help="paths a pixel")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--art", type=Path, help="folder of STYLE/CODE.png, transparent faces")
    parser.add_argument("--real", type=Path, help="folder of SOURCE/CODE_NN.jpg, real faces cut out")
    parser.add_argument("--font", type=Path, action="append", help="font for drawn faces; may be repeated")
    parser.add_argument("--drawn", type=int, default=300, help="number of drawn styles")
    parser.add_argument("--styles", choices=["training", "held-out", "all"], default="training")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    found = styles(args.art, args.real, args.font, args.drawn, args.styles)
    (args.out / "images").mkdir(parents=True, exist_ok=True)
    (args.out / "labels").mkdir(exist_ok=True)
    scene = prepare(args.size, args.samples, args.threads)
    with tempfile.TemporaryDirectory() as spool, (args.out / "scenes.jsonl").open("a") as log:
        for seed in range(args.seed, args.seed + args.count):
            picture, labels = traced(scene, seed, found, args.size, Path(spool) / "traced.png")
            name = f"traced_{seed:07d}"
            quality = int(np.random.default_rng(seed).integers(55, 96))
            target = args.out / "images" / f"{name}.jpg"
            cv2.imwrite(str(target), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            (args.out / "labels" / f"{name}.txt").write_text(yolo(labels, args.size))
            tiles = [{"tile": t.code, "box": t.box, "corners": t.corners, "up": t.up} for t in labels]
            log.write(json.dumps({"image": f"{name}.jpg", "tiles": tiles}) + "\n")
            log.flush()


if __name__ == "__main__":
    main()
