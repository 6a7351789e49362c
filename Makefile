# Needs Python 3.11 or newer, git and make; everything else is installed into .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
TASK ?= where is a task fitted to its token budget?
REPOSITORIES ?= .
# Files of tests are shared out to all cores; PYTEST=pytest runs them in one process.
PYTEST ?= pytest -n auto --dist loadfile

.PHONY: demo test check format format-check lint types floors test-all bench clean

demo: $(VENV)/installed
	$(BIN)/topomem index --head-only
	$(BIN)/topomem bundle "$(TASK)" --budget 2000

test: $(VENV)/installed-dev
	$(BIN)/$(PYTEST) -m "not slow"

check: format-check lint types floors test-all

format: $(VENV)/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only --quiet .

format-check: $(VENV)/installed-dev
	$(BIN)/ruff format --check .

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

floors: $(VENV)/installed-dev
	$(BIN)/lint-imports --no-logo

test-all: $(VENV)/installed-dev
	$(BIN)/$(PYTEST)

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/head.py $(REPOSITORIES)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	touch $@
