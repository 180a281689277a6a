# Two commands set everything up: `make compare` and `make test`. Both need Python 3.11 or newer and make only.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help compare published evaluation audit arrays campaigns report docs test test-slow test-browser lowest lint bench bench-iopddl clean
.DEFAULT_GOAL := help

help:  ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hypar-opt needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-browser: pyproject.toml | $(VENV)/.installed-test
	$(PIP) --editable '.[test,browser]'
	@touch $@

$(VENV)/.installed-bench: pyproject.toml | $(VENV)/.installed
	$(PIP) --editable '.[bench]'
	@touch $@

# times differ from run to run: what is kept in reports/compare is written anew with `make compare TO=reports/compare`
TO ?= build/compare
compare: $(VENV)/.installed  ## solve all paper instances with every formulation; table to the terminal and build/compare
	@mkdir -p $(TO)
	$(BIN)/hypar-opt compare instances/hypar -o $(TO)

published: $(VENV)/.installed  ## the published figures beside the recomputed ones, to reports/published.md
	$(BIN)/python -m tests.published

evaluation: $(VENV)/.installed  ## the figures of the paper's evaluation, tables and plots, to reports/evaluation; some 2 minutes
	$(BIN)/python -m tests.published.evaluation

audit: $(VENV)/.installed  ## judge the paper's claims; table to the terminal and reports/audit
	$(BIN)/hypar-opt audit hypar-hpca19 -o reports/audit

arrays: $(VENV)/.installed  ## the paper's networks on six arrays, best plans and placements, to reports/arrays; some 10 minutes
	$(BIN)/hypar-opt compare-arrays instances/hypar -o reports/arrays

report: $(VENV)/.installed  ## the ten networks as pages to open in a browser, to reports/hypar/index.html
	$(BIN)/hypar-opt report instances/hypar --array hypar-row-stationary-16 --accounting as-evaluated --claims hypar-hpca19 -o reports/hypar

campaigns: $(VENV)/.installed  ## how often the greedy search misses the optimum, to reports/campaigns; some 10 minutes
	$(BIN)/hypar-opt campaign one-level --count 10000 --starts 20 -o reports/campaigns/one-level
	$(BIN)/hypar-opt campaign chains --count 20000 --starts 20 -o reports/campaigns/chains
	$(BIN)/hypar-opt campaign deep --count 1000 --starts 20 -o reports/campaigns/deep

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint  ## check style, types, imports, and run the tests
	$(BIN)/python -m pytest -n 2

test-slow: $(VENV)/.installed-test  ## the exhaustive cross-checks
	$(BIN)/python -m pytest -n 2 -m slow

test-browser: $(VENV)/.installed-browser  ## the pages in a real browser, Debian's chromium
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -m browser tests/browser

lowest:  ## a part of the tests with every dependency at its declared lower bound
	$(PYTHON) -m tests.lowest

docs: $(VENV)/.installed-test  ## the documentation as a site, to site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

bench: $(VENV)/.installed  ## run the benchmarks, figures to reports/benchmarks
	$(BIN)/python -m tests.benchmarks

bench-iopddl: $(VENV)/.installed-bench  ## strategy graphs of others, beside others' formulations; hours; BENCH='--instances A,B' for some
	$(BIN)/python -m tests.benchmarks.iopddl $(BENCH)

clean:  ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
