"""Examples of a referee's requests and answers, each real: made when somebody asks for the description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["VERIFY_REQUESTS", "bundle_examples", "verify_examples"]

_WON = {"win": "discard", "seat": "1z", "round": "1z"}
_DRAGONS = "[555z] [666z] 234m 99p 77z +7z"

#: What each shows -> the request.
VERIFY_REQUESTS: Mapping[str, dict[str, Any]] = {
    "A claim that is valid": {
        "hand": _DRAGONS,
        "rules": "mcr",
        "context": _WON,
        "claim": {"fans": "大三元, 缺一门", "total": 89},
    },
    "A claim of too much": {
        "hand": _DRAGONS,
        "rules": "mcr",
        "context": _WON,
        "claim": {"fans": ["Big Three Dragons", "One Voided Suit", "Dragon Pung x3"], "total": 95},
    },
    "A win that is none": {
        "hand": "[555z] [666z] 234m 99p 77z +6p",
        "rules": "mcr",
        "context": _WON,
        "claim": {"total": 88},
    },
    "A claim that depends on what nobody has said": {
        "hand": "[123m] [456p] 789m 34s 88p +5s",
        "rules": "tvb",
        "context": {"seat": "2z", "round": "1z"},
        "claim": {"fans": "平胡, 自摸"},
    },
}


def verify_examples() -> dict[str, dict[str, Any]]:
    """The answer to each of `VERIFY_REQUESTS`."""
    from api.verify import VerifyRequest, verify_answer

    return {
        shows: verify_answer(VerifyRequest.from_data(request)) for shows, request in VERIFY_REQUESTS.items()
    }


def bundle_examples() -> dict[str, dict[str, Any]]:
    """What is said of a bundle that was changed."""
    from api.recheck import check_bundle

    return {"A bundle that was changed": check_bundle(b"PK\x03\x04")}
