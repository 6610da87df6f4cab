"""A bundle as a file: a zip in which every byte is spoken for.

Members are stored as they are, in one order, with one date. `manifest.json` holds the SHA-256 of each member,
and the archive's comment that of the whole file with the digest's own digits as zeros. So a change of any
byte, in a member, in a header or in the comment, is found; and what only somebody could have changed who
makes everything anew is what a signature is for.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from api.errors import ApiError

__all__ = ["MANIFEST", "MOST_BYTES", "SIGNATURE", "Broken", "canonical", "pack", "unpack"]

MANIFEST = "manifest.json"
SIGNATURE = "signature.json"
#: The members that there may be, in their order.
MEMBERS = ("record.json", "overlay.png", "overlay.svg", "photo", MANIFEST, SIGNATURE)
MOST_BYTES = 64 * 1024 * 1024
_COMMENT = b"mahjong-reader bundle 1 sha256:"
_DIGITS = 64
_DATE = (1980, 1, 1, 0, 0, 0)


class Broken(ApiError):
    """The file is no bundle as it was made; `code` and `detail` say what is wrong."""


def canonical(data: Mapping[str, Any]) -> bytes:
    """Canonical JSON (RFC 8785): one form for one content, so that its hash means something."""
    import rfc8785

    # Through plain JSON first: tuples become lists, and nothing else than JSON gets in.
    return rfc8785.dumps(json.loads(json.dumps(data, allow_nan=False)))


def pack(members: Mapping[str, bytes]) -> bytes:
    """The archive with these members; the manifest is made here. The same members give the same bytes."""
    listed = {
        name: members[name] for name in MEMBERS if name in members and name not in (MANIFEST, SIGNATURE)
    }
    every = {**listed, MANIFEST: manifest_of(listed)}
    if SIGNATURE in members:
        every[SIGNATURE] = members[SIGNATURE]
    return _zipped(every)


def manifest_of(members: Mapping[str, bytes]) -> bytes:
    """The list of members with size and SHA-256: what a signature signs."""
    return canonical(
        {
            "format": "mahjong-reader-bundle",
            "version": 1,
            "members": {
                name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                for name, data in members.items()
            },
        }
    )


def _zipped(members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
        archive.comment = _COMMENT + b"0" * _DIGITS
    blank = out.getvalue()
    return blank[:-_DIGITS] + hashlib.sha256(blank).hexdigest().encode("ascii")


def unpack(data: bytes) -> dict[str, bytes]:
    """The members of an archive, every byte of which is as it was made. Raises Broken."""
    if len(data) > MOST_BYTES:
        raise Broken("bundle_too_large", f"a bundle has {MOST_BYTES} bytes at most")
    head, digits = data[:-_DIGITS], data[-_DIGITS:]
    if not head.startswith(b"PK\x03\x04") or not head.endswith(_COMMENT):
        raise Broken("no_bundle", "the file is no bundle, or its beginning or end was changed")
    if hashlib.sha256(head + b"0" * _DIGITS).hexdigest().encode("ascii") != digits:
        raise Broken("bundle_changed", "the file is not as it was made: its SHA-256 is another")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if names != [name for name in MEMBERS if name in names] or MANIFEST not in names:
                raise Broken("bundle_changed", "the bundle holds other members than it should")
            if any(info.compress_type != zipfile.ZIP_STORED for info in archive.infolist()):
                raise Broken("bundle_changed", "a member is compressed")
            members = {name: archive.read(name) for name in names}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError, OSError) as error:
        raise Broken("bundle_changed", "the archive is damaged") from error
    # Whoever can make the digest anew could still hide something between the members.
    if _zipped(members) != data:
        raise Broken("bundle_changed", "the archive holds more than its members")
    rest = {name: part for name, part in members.items() if name not in (MANIFEST, SIGNATURE)}
    if manifest_of(rest) != members[MANIFEST]:
        raise Broken("bundle_changed", "a member is not the one that the manifest lists")
    if "record.json" not in rest:
        raise Broken("bundle_changed", "the bundle holds no record")
    return members
