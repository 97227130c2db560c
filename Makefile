# make prove    installs into .venv and proves every theorem in proofs/
# make page     the same as a page to look at, build/page/index.html
# make docs     the documentation as a site, build/site/index.html
# make test     static checks, then every test that takes seconds
# make PYTHON=/path/to/python3.12 ...   another Python than the first python3 (3.11 or later is needed)

PYTHON ?= python3
# How many tests run at a time; those of one file follow one another, as they share what they compare.
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
SOURCES := pyproject.toml setup.py $(wildcard fibprover_ext/*.pyx fibprover_ext/*.pxd fibprover_ext/*.hpp)

.DEFAULT_GOAL := help
.PHONY: help prove page docs test test-long test-browser check bench bench-textbook clean
.DELETE_ON_ERROR:

help:
	@echo 'make prove | page | docs | test | test-long | test-browser | check | bench | bench-textbook | clean'

# One environment for everything: made once, brought up to date when the kernels or the project file change.
$(STAMP): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo 'fibprover needs Python 3.11 or later; $(PYTHON) is not (or is missing). Try: make PYTHON=python3.12'; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# The table on the terminal, and the same with more detail in build/theorems.md and .json.
prove: $(STAMP)
	@mkdir -p build
	$(BIN)/fibprover prove --json build/theorems.json --markdown build/theorems.md

# The same to look at: build/page/index.html, with evidence, automata and boards.
page: $(STAMP)
	$(BIN)/fibprover prove --html build/page

# What is wrong with a page, a link or a docstring stops it. Afterwards `make test` looks at the site as well.
docs: $(STAMP)
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' \
	| $(BIN)/python -m pip install --quiet --disable-pip-version-check -r /dev/stdin
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/cython-lint fibprover_ext

test: check
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m 'not long'

test-long: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m long

# The page, looked at in chromium: its tests are skipped where chromium and its driver are not installed.
test-browser: $(STAMP)
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["browser"], sep="\n")' \
	| $(BIN)/python -m pip install --quiet --disable-pip-version-check -r /dev/stdin
	$(BIN)/python -m pytest -m browser

# Times and memory; for example BENCH='--only paper', or BENCH='-o benchmarks/RESULTS.md' to keep the page.
bench: $(STAMP)
	$(BIN)/python -m benchmarks $(BENCH)

# Measures what the textbook plan builds where a formula has changed; writes proofs/textbook_counts.json.
bench-textbook: $(STAMP)
	$(BIN)/python -m benchmarks.textbook

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f fibprover_ext/*.so fibprover_ext/*.cpp
	find fibprover fibprover_ext tests benchmarks proofs -name __pycache__ -type d -prune -exec rm -rf {} +
