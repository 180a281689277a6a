"""Pieces on jobs of Slurm: programs in place of Slurm's run these on this machine."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from executor.fruits import killing_once, seed_of, squared
from executor.slurm_stand_in import install

from hypar_opt.executor import EngineSpec, engine_spec, open_workers, run_pieces
from hypar_opt.executor.dask.slurm import SlurmCluster, in_hours
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import HyparError, InputError

LIMITS = Limits(workers=1, seed=7, memory_bytes=2**28)
TESTS = Path(__file__).parents[1]


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Return a folder with stand-ins for Slurm's programs, which are on the PATH."""
    monkeypatch.setenv("PATH", install(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]))
    return tmp_path


@pytest.mark.parametrize(("text", "spec"), [("slurm", EngineSpec("slurm")), ("slurm:3", EngineSpec("slurm", 3))])
def test_what_is_named(text, spec):
    assert engine_spec(text) == spec


@pytest.mark.parametrize("text", ["slurm:", "slurm:0", "slurm://login:1"])
def test_what_is_no_number_of_jobs(text):
    with pytest.raises(InputError, match="expected slurm or slurm:N"):
        engine_spec(text)


def test_where_there_is_no_slurm_it_is_said_before_anything_is_done(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"Slurm's programs on the PATH.*no sbatch, squeue, scancel"):
        SlurmCluster(None, LIMITS)
    install(tmp_path)
    (tmp_path / "scancel").unlink()
    with pytest.raises(InputError, match=r"there is no scancel$"):
        SlurmCluster(None, LIMITS)


@pytest.mark.slow
def test_signals_do_what_they_did(slurm):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    SlurmCluster(None, LIMITS)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "00:00:00"), (1, "00:01:00"), (120, "00:02:00"), (3601, "01:01:00"), (360000, "100:00:00")],
)
def test_times_as_slurm_has_them(seconds, said):
    assert in_hours(seconds) == said


@pytest.mark.slow
def test_pieces_are_run_in_jobs_that_are_cancelled_at_the_end(slurm):
    limits = Limits(time.monotonic() + 3000, 7, 1, 2**28)
    with open_workers(EngineSpec("slurm", 2), limits) as workers:
        assert "workers in jobs of Slurm, logs in" in workers.text
        found = sorted(one.result for one in run_pieces(workers, squared, range(50), limits))
        assert {one.result for one in run_pieces(workers, seed_of, [0], limits)} == {7}
        once = str(slurm / "once")
        assert [one.result for one in run_pieces(workers, killing_once, [once], limits)] == [once]
    assert found == [one * one for one in range(50)]
    scripts = {path.name[4:]: path.read_text() for path in slurm.glob("job-*")}
    assert len(scripts) == 2
    for line in (
        "#SBATCH --cpus-per-task=1",
        "#SBATCH --mem=2G",
        "#SBATCH -t 00:52:00",
        "--nthreads 1",
        sys.executable,
    ):
        assert all(line in script for script in scripts.values())
    assert sorted((slurm / "cancelled").read_text().split()) == sorted(scripts)


@pytest.mark.slow
def test_a_job_that_brings_no_worker_is_named_with_its_log(slurm, monkeypatch):
    import dask

    install(slurm, run="echo no such python >&2; true")
    with (
        dask.config.set({"hypar-opt.slurm.start-s": 1}),
        pytest.raises(
            HyparError, match=r"no worker after 1\.0 s; jobs \d+: no longer in the queue; .*-\d+\.err ends: no such"
        ),
    ):
        open_workers(EngineSpec("slurm", 1), LIMITS)
    assert len((slurm / "cancelled").read_text().split()) == 1


@pytest.mark.slow
def test_what_slurm_says_of_a_job_that_it_does_not_take_is_passed_on(slurm):
    (slurm / "sbatch").write_text("#!/bin/sh\necho 'sbatch: error: invalid account' >&2; exit 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="--on: Slurm takes no job: sbatch: error: invalid account"):
        open_workers(EngineSpec("slurm", 1), LIMITS)
