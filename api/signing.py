"""Signatures under bundles: Ed25519, with a key of the organiser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.archive import MANIFEST, SIGNATURE, Broken, canonical, pack, unpack
from api.errors import ApiError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

__all__ = ["load_private", "load_public", "new_key", "signature_of", "signed"]


def new_key() -> tuple[bytes, bytes]:
    """A new private key and its public key, both as PEM."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    public = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    return private, public


def load_private(path: Path) -> Ed25519PrivateKey:
    """The private key of a PEM file. Raises ApiError `bad_key`."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise ApiError("bad_key", f"{path.name}: no private key as PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ApiError("bad_key", f"{path.name}: the key is not one of Ed25519")
    return key


def load_public(path: Path) -> Ed25519PublicKey:
    """The public key of a PEM file. Raises ApiError `bad_key`."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ApiError("bad_key", f"{path.name}: no public key as PEM") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ApiError("bad_key", f"{path.name}: the key is not one of Ed25519")
    return key


def signed(bundle: bytes, key: Ed25519PrivateKey) -> bytes:
    """The bundle with a signature over its manifest, in the place of one that it may have. Raises Broken."""
    members = unpack(bundle)
    signature = {
        "algorithm": "Ed25519",
        "key": key.public_key().public_bytes_raw().hex(),
        "signature": key.sign(members[MANIFEST]).hex(),
    }
    return pack({**members, SIGNATURE: canonical(signature)})


def signature_of(members: dict[str, bytes], expected: Ed25519PublicKey | None) -> dict[str, Any]:
    """Whether the bundle is signed, by which key, and whether that is the one expected.

    `state` is `none`, `good` or `bad`; `expected` None where no key was told to compare with. Raises Broken
    for a signature that is not of the form.
    """
    if SIGNATURE not in members:
        return {"state": "none", "key": None, "expected": None if expected is None else False}
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        told = json.loads(members[SIGNATURE])
        raw, signature = bytes.fromhex(told["key"]), bytes.fromhex(told["signature"])
        key = Ed25519PublicKey.from_public_bytes(raw)
    except (ValueError, KeyError, TypeError) as error:
        raise Broken("bundle_changed", "the signature is not of the form that it should be") from error
    try:
        key.verify(signature, members[MANIFEST])
        state = "good"
    except InvalidSignature:
        state = "bad"
    known = None if expected is None else expected.public_bytes_raw() == raw
    return {"state": state, "key": raw.hex(), "expected": known}
