"""A bundle, checked: whether every byte is as it was made, who signed it, and what today's version says.

The hand is scored and the claim judged again, offline, with the options that the bundle recorded. Where that
comes out otherwise, the answer says what differs: a price, a rule, an option that is read differently now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib import metadata
from typing import TYPE_CHECKING, Any

from api.answers import ScoreRequest, score_answer
from api.archive import Broken, canonical, unpack
from api.bundle import rules_record
from api.signing import signature_of
from api.verify import VerifyRequest, verify_answer
from scorer import RULESETS, BadOption, ScorerError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

__all__ = ["check_bundle", "require_bundle"]

_KNOWN = 1
#: What of a score is compared, and by which words a difference is told.
_SCORE = ("is_win", "legal", "total", "uncapped", "toward_minimum", "minimum")
_AUDIT = ("verdict", "stands")


def require_bundle(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The record and the members of a bundle that is as it was made. Raises Broken."""
    members = unpack(data)
    try:
        record = json.loads(members["record.json"])
        if not isinstance(record, dict) or canonical(record) != members["record.json"]:
            raise Broken("bundle_changed", "the record is not canonical JSON")
        if record["format"] != "mahjong-reader-bundle" or not isinstance(record["version"], int):
            raise Broken("no_bundle", "the record is not of a bundle")
        photo = record["photo"]
        if ("photo" in members) is not photo["included"]:
            raise Broken(
                "bundle_changed", "the photo is there and the record denies it, or the other way round"
            )
        if photo["included"] and hashlib.sha256(members["photo"]).hexdigest() != photo["sha256"]:
            raise Broken("bundle_changed", "the photo is not the one that was read")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Broken("bundle_changed", "the record is not of the form that it should be") from error
    if record["version"] > _KNOWN:
        raise Broken(
            "bundle_too_new", f"the bundle is of form {record['version']}; this version knows {_KNOWN}"
        )
    return record, members


def check_bundle(data: bytes, key: Ed25519PublicKey | None = None) -> dict[str, Any]:
    """Everything that can be said of a bundle; never raises for a bad one.

    `intact` is false, and `problems` says why, where a byte was changed; nothing of its content is then told.
    `key` is the organiser's, if there is one to compare with.
    """
    answer: dict[str, Any] = {
        "intact": False,
        "problems": [],
        "signature": None,
        "bundle": None,
        "again": None,
    }
    try:
        record, members = require_bundle(data)
        signature = signature_of(members, key)
        if signature["state"] == "bad":
            raise Broken("bad_signature", "the signature does not fit the bundle")
        if signature["expected"] is False:
            detail = "nobody has signed it" if signature["key"] is None else "another key has signed it"
            raise Broken("bad_signature", f"it is not signed with the key that was told: {detail}")
        brief = _brief(record, data)
        again = _again(record)
    except Broken as error:
        answer["problems"] = [{"code": error.code, "detail": error.detail}]
        return answer
    except (KeyError, TypeError, AttributeError) as error:
        detail = "the record is not of the form that it should be"
        answer["problems"] = [{"code": "bundle_changed", "detail": f"{detail}: {error}"}]
        return answer
    return {**answer, "intact": True, "signature": signature, "bundle": brief, "again": again}


def _brief(record: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    verdict = record["verdict"]
    return {
        "sha256": hashlib.sha256(data).hexdigest(),
        "record_sha256": hashlib.sha256(canonical(record)).hexdigest(),
        "made": record["made"],
        "place": record["place"],
        "photo": record["photo"],
        "model": record["model"],
        "rules": record["rules"]["id"],
        "options": record["rules"]["options"],
        "seen": record["seen"]["hand"],
        "confirmed": record["confirmed"],
        "hand": record["hand"],
        "declared": record["declared"],
        "claim": record["claim"],
        "verdict": None if verdict is None else verdict["verdict"],
        # Of a claim what stands, and not what the winner could have claimed.
        "total": record["score"]["total"] if verdict is None else verdict["stands"]["total"],
    }


def _again(record: Mapping[str, Any]) -> dict[str, Any]:
    """What today's version says, and every difference with its reason."""
    software = metadata.version("mahjong-reader")
    told = {"version": software, "then": record["made"]["software"]["version"], "otherwise": None}
    rules, options = record["rules"]["id"], dict(record["rules"]["options"])
    if rules not in RULESETS:
        return {**told, "differences": [], "why": [f"this version has no rule set {rules}"]}
    options, why = _options_now(rules, options)
    try:
        score, audit = _said(record, rules, options)
    except ScorerError as error:
        return {**told, "differences": [], "why": [*why, f"it cannot be scored again: {error.detail}"]}
    differences = _differences("score", _SCORE, record["score"], score)
    differences += _fans(record["score"]["fans"], score["fans"])
    if record["audit"] is not None and audit is not None:
        differences += _differences("audit", _AUDIT, record["audit"], audit)
    otherwise = bool(differences)
    if otherwise:
        why += _tables(record["rules"], rules_record(rules, options))
        if not why:
            why = ["the table is the same: how it is applied to the tiles has changed between the versions"]
    return {**told, "otherwise": otherwise, "differences": differences, "why": why}


def _options_now(rules: str, options: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The recorded options as far as this version has them, and what it has otherwise."""
    known = {option.id: option for option in RULESETS[rules].options}
    why, kept = [], {}
    for name, value in options.items():
        if name not in known:
            why.append(f"the option {name} ({_shown(value)} then) no longer exists")
            continue
        try:
            kept[name] = known[name].require_value(value)
        except BadOption:
            why.append(f"the option {name} no longer takes the value {_shown(value)}")
    for name, option in known.items():
        if name not in options:
            why.append(f"the option {name} is new; it is taken as {_shown(option.default)}")
    return kept, why


def _said(
    record: Mapping[str, Any], rules: str, options: Mapping[str, object]
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    declared = record["declared"]
    request = ScoreRequest(record["hand"], rules, declared["context"], options, declared["table"])
    claim = record["claim"]
    if claim is None:
        return score_answer(request), None
    asked = VerifyRequest(
        claim, record["hand"], rules, declared["context"], options, record["tell_more"] is True
    )
    return score_answer(request), verify_answer(asked)


def _differences(
    part: str, names: tuple[str, ...], then: Mapping[str, Any], now: Mapping[str, Any]
) -> list[dict[str, Any]]:
    return [
        {"what": f"{part}.{name}", "then": then[name], "now": now[name]}
        for name in names
        if then[name] != now[name]
    ]


def _fans(then: list[Mapping[str, Any]], now: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Fans that count otherwise, each with its points in all."""
    before = {fan["id"]: fan["points"] * fan["times"] for fan in then}
    after = {fan["id"]: fan["points"] * fan["times"] for fan in now}
    return [
        {"what": f"fan {fan}", "then": before.get(fan), "now": after.get(fan)}
        for fan in sorted({*before, *after})
        if before.get(fan) != after.get(fan)
    ]


def _tables(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """In which rules the two tables differ."""
    why = []
    for name in ("minimum", "cap"):
        if then[name] != now[name]:
            why.append(f"the {name} was {_shown(then[name])} and is {_shown(now[name])}")
    before = {fan["id"]: fan for fan in then["fans"]}
    after = {fan["id"]: fan for fan in now["fans"]}
    for fan in sorted({*before, *after}):
        if fan not in after:
            why.append(f"the fan {fan} is no longer in the table")
        elif fan not in before:
            why.append(f"the fan {fan} is new in the table")
        else:
            if before[fan]["points"] != after[fan]["points"]:
                why.append(f"{fan} was {before[fan]['points']} and is {after[fan]['points']}")
            old = {item["id"] for item in before[fan]["excludes"]}
            new = {item["id"] for item in after[fan]["excludes"]}
            why += [f"{fan} shut out {other} and does no longer" for other in sorted(old - new)]
            why += [f"{fan} now shuts out {other}" for other in sorted(new - old)]
    return why


def _shown(value: object) -> str:
    return json.dumps(value)
