from __future__ import annotations

import pytest
from pydantic import ValidationError

from api.answers import dumps, error_line, loads
from api.errors import PROBLEMS, ApiError, problem_document, problem_of
from api.settings import Settings
from scorer import BadContext, NotationError
from vision import ModelError, NoTiles, errors


def test_settings_come_from_the_environment_and_are_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAHJONG_READER_WORKERS", "2")
    settings = Settings()
    assert settings.workers == 2
    with pytest.raises(ValidationError):
        settings.workers = 3


def test_every_code_of_vision_has_a_status() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    for kind in kinds:
        if kind not in (errors.VisionError, errors.ModelError):
            assert set(getattr(kind, "CODES", {kind.code})) <= set(PROBLEMS)


@pytest.mark.parametrize("code", sorted(ModelError.CODES))
def test_trouble_with_models_keeps_its_text_here(code: str) -> None:
    error = ModelError(code, "/srv/secret")
    assert problem_of(error)[0] == "model_unavailable"
    assert "secret" not in problem_of(error)[1]
    assert error_line(error) == {"error": {"code": code, "detail": "/srv/secret"}}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NoTiles("none"), "no_tiles"),
        (BadContext("wrong", "seat"), "bad_context"),
        (NotationError("wrong", "1q", 1), "bad_notation"),
        (KeyError("secret"), "internal"),
    ],
)
def test_codes(error: Exception, code: str) -> None:
    assert problem_of(error)[0] == code
    assert "secret" not in str(error_line(error))


def test_unknown_code_is_a_mistake_at_once() -> None:
    with pytest.raises(ValueError, match="no_such"):
        ApiError("no_such", "x")


def test_problem_document() -> None:
    document = problem_document("no_tiles", "none", "id")
    assert document["type"] == "/problems/no_tiles"
    assert document["status"] == 422


def test_json_is_one_line_of_utf8_whatever_it_holds() -> None:
    line = dumps({"a": "一\ud800\n"})
    assert "\n" not in line
    line.encode("utf-8")
    assert loads(line) == {"a": "一\ud800\n"}
