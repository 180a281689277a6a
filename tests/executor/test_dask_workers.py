"""Pieces on workers of Dask: a cluster of this machine."""

from __future__ import annotations

import time
from threading import Thread

import pytest
from executor.fruits import failing, killing, killing_once, seed_of, squared, stopped, unsendable

from hypar_opt.executor import EngineSpec, engine_spec, open_workers, run_pieces
from hypar_opt.executor.dask.clusters import OwnCluster, own_cluster
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import HyparError, InputError

LIMITS = Limits(workers=1, seed=7)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("dask", EngineSpec("dask")),
        ("dask:3", EngineSpec("dask", 3)),
        ("dask://node-1:8786", EngineSpec("dask", None, "node-1:8786")),
    ],
)
def test_what_is_named(text, spec):
    assert engine_spec(text) == spec


@pytest.mark.parametrize(
    "text", ["dask:", "dask:0", "dask://x", "dask://x:", "dask://:1", "dask://a:b", "dask://x:1/y"]
)
def test_what_is_no_address(text):
    with pytest.raises(InputError, match="expected dask, dask:N or dask://HOST:PORT"):
        engine_spec(text)


def test_more_memory_than_the_machine_has_is_an_error():
    with pytest.raises(InputError, match=r"3 workers may use .* bytes each \(--memory-limit\)"):
        own_cluster(3, Limits(memory_bytes=2**62))


def test_there_is_a_worker_at_least():
    assert isinstance(own_cluster(None, Limits(workers=1024)), OwnCluster)


@pytest.fixture(scope="module")
def two():
    with open_workers(EngineSpec("dask", 2), LIMITS) as workers:
        yield workers


@pytest.mark.slow
def test_all_are_run_once(two):
    assert two.count == 2 and two.text.startswith("2 Dask workers of this machine")
    found = sorted((one.index, one.result) for one in run_pieces(two, squared, range(3000), LIMITS))
    assert found == [(one, one * one) for one in range(3000)]


@pytest.mark.slow
def test_a_piece_has_the_limits(two):
    assert [one.result for one in run_pieces(two, seed_of, [0], LIMITS)] == [7]


@pytest.mark.slow
def test_what_a_call_raises_is_raised(two):
    with pytest.raises(ValueError, match="piece 3"):
        two.submit(failing, 3, None).result()


@pytest.mark.slow
def test_an_error_that_pickle_does_not_bring_back_comes_with_its_text(two):
    with pytest.raises(HyparError, match=r"^Unsendable: a fault at 3$"):
        list(run_pieces(two, unsendable, [3], LIMITS))


@pytest.mark.slow
def test_a_killed_piece_is_run_again(two, tmp_path):
    path = str(tmp_path / "0")
    assert [one.result for one in run_pieces(two, killing_once, [path], LIMITS)] == [path]


@pytest.mark.slow
def test_what_kills_is_set_aside_alone(two):
    found = {one.piece: one for one in run_pieces(two, killing, [9, 10, 11], LIMITS)}
    assert {piece: one.result for piece, one in found.items()} == {9: 9, 10: None, 11: 11}
    assert found[10].killed == "3 workers died while they ran it"


@pytest.mark.slow
def test_calls_that_run_are_told_to_stop_and_are_kept(two, tmp_path):
    """The run is stopped once two pieces have begun; none of those that wait is begun after that."""
    limits = Limits(workers=1)
    calls = run_pieces(two, stopped, [str(tmp_path / str(one)) for one in range(9)], limits)
    Thread(target=stop_once, args=(limits, lambda: len(list(tmp_path.iterdir())) >= 2), daemon=True).start()
    found = [one.result for one in calls]
    assert 2 <= len(found) <= 4 and all(found)
    assert len(list(tmp_path.iterdir())) == len(found)


def stop_once(limits, is_time):
    while not is_time():
        time.sleep(0.01)
    limits.stop.set()
