# Two commands set everything up: `make compare` and `make test`. Both need Python 3.11 or newer and make only.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help structure compare compare-release published accountings evaluation operators dtensor ranking stages overlap collectives conjugate-gradients precision altsplit transfers audit arrays campaigns report docs test test-fast test-slow test-browser lowest matrix lint bench bench-iopddl clean
.DEFAULT_GOAL := help

help:  ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hypar-opt needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) --editable .
	@touch $@

# what an extra of pyproject.toml brings: .installed-graphs, .installed-report, .installed-test and so on
$(VENV)/.installed-%: pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) --editable '.[$*]'
	@touch $@

# times differ from run to run: what is kept in reports/compare is written anew with `make compare TO=reports/compare`
TO ?= build/compare
compare: $(VENV)/.installed-graphs  ## solve all paper instances with every formulation; table to the terminal and build/compare
	@mkdir -p $(TO)
	$(BIN)/hypar-opt compare instances/hypar -o $(TO)

published: $(VENV)/.installed  ## the published figures beside the recomputed ones, to reports/published.md
	$(BIN)/python -m reports.published

accountings: $(VENV)/.installed  ## the optimum under each accounting priced under all others, to reports/accountings
	$(BIN)/python -m reports.accountings

evaluation: $(VENV)/.installed-bench  ## the figures of the paper's evaluation, tables and plots, to reports/evaluation; some 2 minutes
	$(BIN)/python -m reports.evaluation

operators: $(VENV)/.installed-bench  ## what papers and lectures say of plans of operators, recomputed, to reports/operators; some 2 minutes
	$(BIN)/python -m reports.operators

dtensor: $(VENV)/.installed-bench $(VENV)/.installed-torch  ## what PyTorch's DTensor moves by plans, to reports/operators; PyTorch is gigabytes; some 10 minutes
	$(BIN)/python -m reports.operators.dtensor

ranking: $(VENV)/.installed-bench  ## how predictions rank random plans by what JAX's programs of them move, to reports/ranking
	$(BIN)/python -m reports.ranking

stages: $(VENV)/.installed-bench  ## strategies, pipelines and both on 4 to 64 accelerators, to reports/stages; some 2 minutes
	$(BIN)/python -m reports.stages

overlap: $(VENV)/.installed-bench  ## what overlap is possible at best, beside first come first served, to reports/overlap; some 10 minutes
	$(BIN)/python -m reports.overlap

collectives: $(VENV)/.installed-bench  ## all-reduces simulated in lockstep and without, to reports/collectives; some 2 minutes
	$(BIN)/python -m reports.collectives

precision: $(VENV)/.installed-bench  ## a small network trained, its bits chosen, a rule replayed, to reports/precision; half a minute
	$(BIN)/python -m reports.precision

altsplit: $(VENV)/.installed-bench  ## Altsplit, its baseline and the optimum on 2 to 1,024 processes, to reports/altsplit
	$(BIN)/python -m reports.altsplit

# profiles of PipeDream are no part of the project: PROFILES=folder, or their rows are left out
transfers: $(VENV)/.installed-bench  ## orders of gradients beside the optimum, to reports/transfers; some 5 minutes
	$(BIN)/python -m reports.transfers $(PROFILES)

conjugate-gradients: $(VENV)/.installed-bench  ## conjugate gradients as tasks: makespans, fused iterations, noise, to reports/conjugate_gradients; some 20 minutes
	$(BIN)/python -m reports.conjugate_gradients

audit: $(VENV)/.installed  ## judge the paper's claims and those of other sources; tables to the terminal and reports/audit
	$(BIN)/hypar-opt audit hypar-hpca19 -o reports/audit
	$(BIN)/hypar-opt audit abstracts-isca21-page accpar-hpca20 multitree-isca21 oxml-2022 thesis-bsc-2019 -o reports/audit/sources

arrays: $(VENV)/.installed  ## the paper's networks on six arrays, best plans and placements, to reports/arrays; some 10 minutes
	$(BIN)/hypar-opt compare-arrays instances/hypar -o reports/arrays

report: $(VENV)/.installed-all  ## the ten networks as pages to open in a browser, to reports/hypar/index.html
	$(BIN)/hypar-opt report instances/hypar --array hypar-row-stationary-16 --accounting as-evaluated --claims hypar-hpca19 -o reports/hypar

campaigns: $(VENV)/.installed  ## how often the greedy search misses the optimum, to reports/campaigns; some 10 minutes
	$(BIN)/hypar-opt campaign one-level --count 10000 --starts 20 -o reports/campaigns/one-level
	$(BIN)/hypar-opt campaign chains --count 20000 --starts 20 -o reports/campaigns/chains
	$(BIN)/hypar-opt campaign deep --count 1000 --starts 20 -o reports/campaigns/deep
	for family in mixed mixed-two-types mixed-layer; do $(BIN)/hypar-opt campaign $$family --count 100 -o reports/mixed/$$family || exit; done
	$(BIN)/hypar-opt campaign mixed-none --count 50 -o reports/mixed/mixed-none
	$(BIN)/hypar-opt campaign mixed-below --count 12 -o reports/mixed/mixed-below

structure: $(VENV)/.installed-test  ## count rooms, files, lines, arrows and circles; of other checkouts too: OF='../old .'
	@$(BIN)/python -m tests.structure $(OF)

compare-release: $(VENV)/.installed-all  ## compare all results with those of another checkout, OF=../old, but for versions and times
	@$(BIN)/python -m tests.release $(OF)

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint  ## check style, types, imports, and run the tests
	$(BIN)/python -m pytest -n 2

test-fast: $(VENV)/.installed-test  ## the tests that take no time, for the inner loop: under a minute
	$(BIN)/python -m pytest -n 2 --fast

tests/long.txt: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n 2 --durations=0 --durations-min=0.12 > $@.said || { cat $@.said; rm $@.said; false; }
	@sed -nE 's/^[0-9.]+s (call|setup) +([^[]+).*/\2/p' $@.said | sort -u > $@.new
	@mv $@.new $@
	@rm $@.said

test-slow: $(VENV)/.installed-test  ## the exhaustive cross-checks
	$(BIN)/python -m pytest -n 2 -m slow

test-browser: $(VENV)/.installed-browser  ## the pages in a real browser, Debian's chromium
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -m browser tests/browser

lowest:  ## a part of the tests with every dependency at its declared lower bound
	$(PYTHON) -m tests.lowest

matrix:  ## the same part on every Python that is here, with the oldest and the newest solvers that are allowed
	$(PYTHON) -m tests.matrix $(MATRIX)

docs: $(VENV)/.installed-test  ## the documentation as a site, to site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

bench: $(VENV)/.installed-bench  ## run the benchmarks, figures to reports/benchmarks
	$(BIN)/python -m reports.benchmarks

bench-iopddl: $(VENV)/.installed-bench  ## strategy graphs of others, beside others' formulations; hours; BENCH='--instances A,B' for some
	$(BIN)/python -m reports.benchmarks.iopddl $(BENCH)

clean:  ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
