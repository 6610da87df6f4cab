# Every verb does its own set-up: it needs Python 3.11 or newer and nothing else installed by hand.
#
#   make demo      read and score the bundled photo
#   make test      lint, types, tests, coverage
#   make serve     the HTTP service (PORT=8000)
#   make bench     the benchmark of the service
#   make bench-page  the page beside what was asked of it: size, tap to score, panning, Lighthouse
#   make browser   Chromium and what drives it, for the tests of the page in a browser
#   make soak      what takes long: hostile files, load, ten thousand requests (an hour and more)
#   make lock      deploy/requirements.lock, every dependency with its hashes
#   make install   .venv with what serving needs

PYTHON ?= python3
PORT ?= 8000
MINUTES ?= 30
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# What a photo cannot show is told by options.
DEMO_PHOTO ?= datasets/samples/hand.jpg
DEMO_OPTIONS ?= --rules hk --seat 1z --round 1z --self-draw --winning-tile 1z

.DEFAULT_GOAL := help
.PHONY: help install install-dev browser demo test lint format serve bench bench-page soak lock wheel clean

help:
	@sed -n 's/^#   //p' Makefile

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Stamps, so that a verb installs again when the dependencies change and not otherwise.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[sheet]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[dev]'
	@touch $(VENV)/.installed $@

install: $(VENV)/.installed

install-dev: $(VENV)/.installed-dev

# Not of the development install: 200 MB for one folder of tests, which are skipped without it.
browser: install-dev
	$(PIP) 'playwright>=1.49,<2'
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	       chromium fonts-noto-cjk; } >/dev/null

demo: install
	$(BIN)/mahjong-reader hand $(DEMO_PHOTO) $(DEMO_OPTIONS) --overlay demo-overlay.png

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: install-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: lint
	$(BIN)/python -m pytest --cov --cov-report=term

serve: install
	$(BIN)/mahjong-reader serve --port $(PORT)

bench: install-dev
	$(BIN)/python tests/load/bench_hands.py
	$(BIN)/python tests/load/bench_workers.py --seconds 8 --most 2

bench-page: browser
	$(BIN)/python tests/load/bench_page.py; $(BIN)/python tests/load/audit_page.py

soak: install-dev
	$(PIP) --editable '.[dev,fuzz]' || echo "no fuzzer for this Python: that part is skipped" >&2
	$(BIN)/python -m pytest -m soak --no-cov -rP
	$(BIN)/python -m pytest -m slow --no-cov tests/clients
	! $(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python tests/hostile/fuzz.py --seconds 60
	$(BIN)/python tests/load/long_run.py --minutes $(MINUTES)

lock: install-dev
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --generate-hashes --universal --no-emit-index-url --no-header \
	  --extra heif --extra postgres --extra sheet pyproject.toml --output-file deploy/requirements.lock

wheel: install-dev
	$(BIN)/python -m build --wheel --outdir dist

clean:
	rm -rf build dist htmlcov .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache demo-overlay.png
