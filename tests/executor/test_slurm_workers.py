"""Pieces on jobs of Slurm: programs in place of Slurm's run these on this machine."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from executor.fruits import killing_once, seed_of, squared, stopped
from executor.slurm_stand_in import install

from hypar_opt.executor import EngineSpec, engine_spec, open_workers, run_pieces
from hypar_opt.executor.dask.slurm import SlurmCluster
from hypar_opt.executor.dask.walltimes import in_hours, lifetime_s
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


@pytest.mark.parametrize(
    ("walltime", "seconds"),
    [
        ("30", 1680),
        ("30:30", 1710),
        ("01:00:00", 3480),
        ("1-0", 86280),
        ("1-00:30", 88080),
        ("2-00:00:30", 172710),
        ("00:02:30", 75),
        ("UNLIMITED", 0),
    ],
)
def test_a_worker_leaves_before_its_jobs_time_is_up(walltime, seconds):
    assert lifetime_s(walltime) == seconds


@pytest.mark.parametrize(
    ("limits", "extra", "there"),
    [
        (LIMITS, [], ["--lifetime", "3480s"]),
        (LIMITS, ["--lifetime", "50m"], ["--lifetime", "50m"]),
        (LIMITS, ["--lifetime=50m"], ["--lifetime=50m"]),
        (LIMITS, ["--lifetime-stagger", "1m"], ["--lifetime-stagger", "1m", "--lifetime", "3480s"]),
        (LIMITS.within(3600), [], []),
    ],
    ids=["", "said otherwise", "in one word", "staggered", "a run that ends before"],
)
def test_workers_are_told_when_to_leave(slurm, limits, extra, there):
    import dask

    of_jobs = {"jobqueue.slurm.walltime": "01:00:00", "jobqueue.slurm.worker-extra-args": extra}
    with dask.config.set(of_jobs):
        assert SlurmCluster(1, limits)._job()["worker_extra_args"] == [*there, "--resources", "threads=1"]


@pytest.mark.slow
def test_a_piece_that_takes_longer_than_a_job_is_said_to_do_so(slurm, monkeypatch):
    """A worker leaves before its job's time is up, which is no death; here one such end is enough, usually three."""
    import dask

    for module in ("calls", "sending"):
        monkeypatch.setattr(f"hypar_opt.executor.dask.{module}.DEATHS", 1)
    for name in ("START_S", "RENEW_S"):  # where the worker leaves before it gets the piece
        monkeypatch.setattr(f"hypar_opt.executor.dask.slurm.{name}", 0.5)
    with (
        dask.config.set({"jobqueue.slurm.walltime": "00:00:06", "hypar-opt.slurm.start-s": 60}),
        open_workers(EngineSpec("slurm", 1), LIMITS) as workers,
    ):
        (one,) = run_pieces(workers, stopped, [str(slurm / "begun")], LIMITS)
    assert one.killed == (
        "the time of 1 jobs was up while they ran it, 00:00:06 each: if it takes longer than that, "
        "jobqueue.slurm.walltime in Dask's configuration has to be more"
    )


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
