"""Tasks of conjugate gradients on workers: judged schedules, bounds, fused iterations, noise."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.instance.tasks import TaskSchedule, read_task_graph
from hypar_opt.studies.conjugate_gradient import VARIANTS, Durations, Loop, MatrixWork, Noise, cg_document, unroll
from hypar_opt.studies.conjugate_gradient.dispatch import Dispatch, dispatch, follow, least, whole
from hypar_opt.studies.conjugate_gradient.disturbed import disturbed
from hypar_opt.studies.conjugate_gradient.fusing import best_fuses, fused_iterations, fused_times
from hypar_opt.studies.conjugate_gradient.matrices import MATRICES

SMALL = st.builds(
    Loop,
    st.sampled_from(list(VARIANTS.values())),
    st.integers(1, 2),
    st.integers(1, 3),
    st.none() | st.integers(1, 2),
    st.sampled_from(["renamed", "in-place"]),
)
SECONDS = st.fixed_dictionaries(
    {},
    optional={
        name: st.fractions(0, 4, max_denominator=3) for name in ("product", "dot", "axpy", "scalar", "barrier", "p")
    },
)


def judged(loop, workers, durations, begins, units):
    """Return what the evaluator says of begins in units."""
    instance = read_task_graph(cg_document(loop, workers, durations))
    names = [step.name for step in unroll(loop)]
    return JudgedTasks(
        instance, TaskSchedule({name: Fraction(begin, units) for name, begin in zip(names, begins, strict=True)})
    )


@settings(max_examples=10)
@given(SMALL, st.integers(1, 4), SECONDS)
def test_what_is_dispatched_is_a_schedule_and_no_bound_is_above_it(loop, workers, given_seconds):
    durations, steps = Durations(given_seconds), unroll(loop)
    units, (seconds,) = whole(durations.of_all(steps, loop.blocks))
    run = dispatch(steps, seconds, workers)
    found = judged(loop, workers, durations, run.begins, units)
    assert found.fault is None
    assert found.makespan == Fraction(run.length, units)
    assert least(steps, seconds, workers) <= run.length
    if workers == 1 and not given_seconds.get("barrier"):
        assert least(steps, seconds, workers) == run.length == sum(seconds)
    # without noise the plan is followed as it is
    assert follow(steps, seconds, run) == run.length


def test_a_schedule_with_a_task_too_early_is_refused():
    loop = Loop(VARIANTS["ifcg2"], 2, 1)
    steps = unroll(loop)
    units, (seconds,) = whole(Durations().of_all(steps, 2))
    begins = list(dispatch(steps, seconds, 3).begins)
    begins[-1] -= 1
    assert judged(loop, 3, Durations(), begins, units).fault is not None


def test_queues_decide_what_is_late():
    """Two tasks of one worker: the first is late, and so is the second, which is ready, and would go elsewhere."""
    steps = unroll(Loop(VARIANTS["pcg"], 2, 1))[:2]
    planned = Dispatch((0, 1), ((0, 1), ()), 2)
    assert follow(steps, [5, 1], planned) == 6
    assert dispatch(steps, [5, 1], 2, [1, 1]).length == 5


@pytest.mark.parametrize("workers", [2, 8])
def test_each_variant_waits_for_less_than_the_one_before(workers):
    """Whatever is a schedule of pipelined CG is one of IFCG1, and what is one of that is one of IFCG2."""
    makers, takers = ("pipelined-cg", "ifcg1"), ("ifcg1", "ifcg2")
    for maker, taker in zip(makers, takers, strict=True):
        steps = unroll(Loop(VARIANTS[maker], 3, 2))
        units, (seconds,) = whole(Durations().of_all(steps, 3))
        begins = dict(zip([step.name for step in steps], dispatch(steps, seconds, workers).begins, strict=True))
        loop = Loop(VARIANTS[taker], 3, 2)
        own = [begins[step.name] for step in unroll(loop)]
        assert judged(loop, workers, Durations(), own, units).fault is None


def test_fused_times_by_hand():
    """One block and worker: 12 lines of vectors and 2 scalars are 14 s an iteration, a check 2 s more."""
    loop = Loop(VARIANTS["ifcg1"], 1, 1, check=True)
    found = fused_times(loop, Durations(), 1, (1, 2, 5), [7, 10])
    assert [(one.iterations, one.least, one.found) for one in found[7]] == [
        (7, 7 * 16, 7 * 16), (8, 4 * 30, 4 * 30), (10, 2 * 72, 2 * 72),
    ]  # fmt: skip
    assert best_fuses(found[7]) == (1, (1,))
    assert [one.found for one in found[10]] == [160, 150, 144]
    assert best_fuses(found[10]) == (5, (5,))


def test_published_iterations_are_multiples_of_twenty_but_one():
    follows = {
        name: fused_iterations(one.iterations["pipelined-cg"], 20) == one.iterations["ifcg1"] == one.iterations["ifcg2"]
        for name, one in MATRICES.items()
    }
    assert [name for name, does in follows.items() if not does] == ["G3_circuit"]
    assert fused_iterations(428, 20) == 440 != MATRICES["G3_circuit"].iterations["ifcg1"] == 480


def test_published_densities():
    """One digit is printed of most; rounded, all but af_shell8's agree."""
    wrong = []
    for name, one in MATRICES.items():
        places = len(one.density.partition(".")[2])
        if round(one.percent, places) != Fraction(one.density):
            wrong.append(name)
    assert wrong == ["af_shell8"]
    assert round(MATRICES["af_shell8"].percent, 4) == Fraction("0.0069")


def test_noise_is_hidden_where_tasks_are_taken_as_they_come():
    counted = MatrixWork(16_000, 80_000, Fraction(10**9), Fraction(10**10))
    pause = {"scalar": Fraction(1, 10**6)}
    noise = Noise(Fraction(1, 100_000), 0, Fraction(8000))
    found = {
        variant: disturbed(Loop(VARIANTS[variant], 8, 4), Durations(pause, counted), 4, noise)
        for variant in ("pcg", "ifcg2")
    }
    for one in found.values():
        assert Fraction(107, 100) < one.work < Fraction(109, 100)
        assert one.online > 1 and one.planned > 1
    assert found["pcg"].online > found["ifcg2"].online
    assert found["ifcg2"].planned > found["ifcg2"].online
    calm = disturbed(Loop(VARIANTS["pcg"], 2, 1), Durations(), 2, Noise(Fraction(1), 0))
    assert (calm.work, calm.online, calm.planned) == (1, 1, 1)
