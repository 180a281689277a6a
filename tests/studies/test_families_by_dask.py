"""All families of campaigns by two workers of Dask: rows and tables are those of one process, byte for byte."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from hypar_opt.executor import EngineSpec, open_workers
from hypar_opt.formulation.run import Limits
from hypar_opt.report.mixed_campaign import write_mixed
from hypar_opt.report.random_instances import write_files
from hypar_opt.studies.mixed.campaign import run_mixed
from hypar_opt.studies.mixed.families import MIXED_FAMILIES
from hypar_opt.studies.random_instances import FAMILIES, run

pytestmark = pytest.mark.slow
CHAINS = {"deep": 2}
"""Of families whose chains take long."""
INSTANCES = 2


@pytest.fixture(scope="module")
def two():
    with open_workers(EngineSpec("dask", 2), Limits(workers=1)) as workers:
        yield workers


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def of_chains(name, workers, folder):
    """Return the rows of a family's first chains, and the tables."""
    folder.mkdir()
    outcome = run(FAMILIES[name], CHAINS.get(name, 3), store=folder / "rows.sqlite", workers=workers)
    assert outcome.complete
    write_files(outcome, [], folder / "tables")
    with closing(sqlite3.connect(folder / "rows.sqlite")) as database:
        return list(database.execute("SELECT * FROM rows ORDER BY accounting, chain")), files(folder / "tables")


def of_several_kinds(name, workers, folder):
    """Return the rows of a family's first instances, of two layers and with three shares, and the tables."""
    family = MIXED_FAMILIES[name]
    small = replace(family, parts=3, chain=replace(family.chain, layers=(2, 2)))
    outcome = run_mixed(small, INSTANCES, workers=workers)
    assert len(outcome.rows) == INSTANCES
    write_mixed(outcome, folder / "tables")
    return outcome.rows, files(folder / "tables")


@pytest.mark.parametrize(
    ("found", "name"), [(of_chains, name) for name in FAMILIES] + [(of_several_kinds, name) for name in MIXED_FAMILIES]
)
def test_two_workers_of_dask_find_what_one_process_finds(two, tmp_path, found, name):
    assert found(name, two, tmp_path / "two") == found(name, 1, tmp_path / "one")
