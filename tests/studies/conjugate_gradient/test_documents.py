"""Conjugate gradients as files of task graphs: what tasks take, noise, periods, synchronisation points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.studies.conjugate_gradient import VARIANTS, Durations, Loop, MatrixWork, Noise, cg_document, unroll
from hypar_opt.studies.conjugate_gradient.synchronisations import synchronisations
from hypar_opt.util.errors import InputError


def tasks(*given, **others):
    """Return the tasks of a document by name."""
    return {one["name"]: one for one in cg_document(*given, **others)["tasks"]}


def test_a_whole_document():
    assert cg_document(Loop(VARIANTS["pcg"], 1, 2), workers=4) == {
        "schema": "hypar-opt/task-graph/1",
        "name": "pcg-1x2-4",
        "resources": {"worker": 4},
        "tasks": [
            {"name": "s.0.1", "seconds": 1, "on": ["worker"]},
            {"name": "sp.0.1", "seconds": 1, "on": ["worker"], "after": ["s.0.1"]},
            {"name": "alpha.0", "seconds": 1, "on": ["worker"], "after": ["sp.0.1"]},
            {"name": "x.0.1", "seconds": 1, "on": ["worker"], "after": ["alpha.0"]},
            {"name": "r.0.1", "seconds": 1, "on": ["worker"], "after": ["s.0.1", "alpha.0"]},
            {"name": "u.0.1", "seconds": 1, "on": ["worker"], "after": ["r.0.1"]},
            {"name": "ru.0.1", "seconds": 1, "on": ["worker"], "after": ["r.0.1", "u.0.1"]},
            {"name": "beta.0", "seconds": 1, "on": ["worker"], "after": ["ru.0.1"]},
            {"name": "p.0.1", "seconds": 1, "on": ["worker"], "after": ["u.0.1", "beta.0"]},
            {"name": "end.0", "seconds": 0, "after": ["x.0.1", "p.0.1"]},
            {"name": "s.1.1", "seconds": 1, "on": ["worker"], "after": ["end.0"]},
            {"name": "sp.1.1", "seconds": 1, "on": ["worker"], "after": ["s.1.1"]},
            {"name": "alpha.1", "seconds": 1, "on": ["worker"], "after": ["sp.1.1"]},
            {"name": "x.1.1", "seconds": 1, "on": ["worker"], "after": ["alpha.1"]},
            {"name": "r.1.1", "seconds": 1, "on": ["worker"], "after": ["s.1.1", "alpha.1"]},
            {"name": "u.1.1", "seconds": 1, "on": ["worker"], "after": ["r.1.1"]},
            {"name": "ru.1.1", "seconds": 1, "on": ["worker"], "after": ["r.1.1", "u.1.1"]},
            {"name": "beta.1", "seconds": 1, "on": ["worker"], "after": ["ru.1.1"]},
            {"name": "p.1.1", "seconds": 1, "on": ["worker"], "after": ["u.1.1", "beta.1"]},
        ],
        "objective": "makespan",
    }


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("workers", [None, 3])
def test_every_document_is_a_task_graph(variant, periodic, workers):
    document = cg_document(Loop(VARIANTS[variant], 2, 2), workers, periodic=periodic)
    instance = read_task_graph(document)
    assert instance.goal == ("period" if periodic else "makespan")
    assert dict(instance.resources) == ({} if workers is None else {"worker": 3})


def test_a_line_is_given_seconds_before_its_operation():
    given = Durations({"axpy": Fraction(1, 3), "x": Fraction(2), "barrier": Fraction(5)})
    found = tasks(Loop(VARIANTS["pcg"], 1, 2), durations=given)
    assert [found[name]["seconds"] for name in ("x.0.1", "r.0.1", "u.0.1", "end.0")] == [2, "1/3", 1, 5]
    with pytest.raises(InputError, match="pcg has no operation or line called 'produkt'; did you mean 'product'"):
        tasks(Loop(VARIANTS["pcg"], 1, 2), durations=Durations({"produkt": Fraction(1)}))


def test_seconds_by_operations_and_bytes():
    # 5 rows in blocks of 3 and 2, 10 nonzeros: 6 and 4; a flop takes a second, a byte a hundredth of one
    counted = Durations(counted=MatrixWork(5, 10, Fraction(1), Fraction(100)))
    found = tasks(Loop(VARIANTS["pcg"], 2, 1), durations=counted)
    seconds = {name: Fraction(str(one["seconds"])) for name, one in found.items()}
    assert seconds["s.0.1"] == 2 * 6 + Fraction(12 * 6 + 20 * 3, 100)
    assert seconds["s.0.2"] == 2 * 4 + Fraction(12 * 4 + 20 * 2, 100)
    assert seconds["u.0.1"] == 2 * 9 + Fraction(12 * 9 + 40 * 3, 100)
    assert seconds["sp.0.1"] == 6 + Fraction(48, 100)
    assert seconds["x.0.1"] == 6 + Fraction(72, 100)
    assert seconds["alpha.0"] == 0


def test_noise_has_its_mean_and_its_seed():
    noise = Noise(Fraction(1, 100_000), 7, frequency=Fraction(2000))
    delays = [noise.delay(f"task {number}", Fraction(1, 1000)) for number in range(50)]
    assert set(delays) == {Fraction(2, 100_000)}  # two a millisecond, always
    drawn = [noise.delay(f"task {number}", Fraction(1, 4000)) / noise.seconds for number in range(400)]
    assert set(drawn) == {0, 1} and 150 < sum(drawn) < 250
    assert drawn == [noise.delay(f"task {number}", Fraction(1, 4000)) / noise.seconds for number in range(400)]
    other = Noise(noise.seconds, 8, frequency=noise.frequency)
    assert drawn != [other.delay(f"task {number}", Fraction(1, 4000)) / noise.seconds for number in range(400)]
    assert noise.delay("task", Fraction(0)) == 0
    assert Noise(Fraction(3), 0, probability=Fraction(1)).delay("any", Fraction(1)) == 3
    assert Noise(Fraction(3), 0).delay("any", Fraction(1)) == 0


def test_noise_stands_in_the_seconds():
    noise = Noise(Fraction(1, 2), 1, probability=Fraction(1))
    found = tasks(Loop(VARIANTS["pcg"], 1, 2), noise=noise)
    assert found["x.0.1"]["seconds"] == "1.5"


def test_a_period_waits_for_the_one_before():
    found = tasks(Loop(VARIANTS["ifcg2"], 2, 1), periodic=True)
    assert found["beta.0"]["after"] == [{"task": "beta.0", "distance": 1}, "gamma.0.1", "gamma.0.2"]
    assert found["m.0.1"]["after"] == [{"task": "w.0.1", "distance": 1}]
    assert "end.0" not in found
    assert tasks(Loop(VARIANTS["pcg"], 2, 1), periodic=True)["s.0.2"]["after"] == [{"task": "end.0", "distance": 1}]
    fused = tasks(Loop(VARIANTS["ifcg1"], 2, 4, fuse=2), periodic=True)
    assert [name for name in fused if name.startswith("end")] == ["end.1", "end.3"]
    with pytest.raises(InputError, match="multiple of --fuse 2, got 3"):
        tasks(Loop(VARIANTS["ifcg1"], 2, 3, fuse=2), periodic=True)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("storage", ["renamed", "in-place"])
def test_a_period_is_what_iterations_come_to(variant, storage):
    """As many workers as wanted: unrolled far, one more iteration takes as long as the period of the circles."""
    loop = Loop(VARIANTS[variant], 2, 1, storage=storage)
    ends = {number: _length(unroll(Loop(VARIANTS[variant], 2, number, storage=storage))) for number in (8, 9)}
    document = cg_document(loop, periodic=True)
    # of circles a period is long enough, and a little less is not
    assert _fits(document, 100 * (ends[9] - ends[8]))
    assert not _fits(document, 100 * (ends[9] - ends[8]) - 1)


def _length(steps):
    ends = []
    for step in steps:
        ends.append(max((ends[one] for one in step.waits_for), default=0) + (step.kernel.operation.name != "barrier"))
    return max(ends)


def _fits(document, period):
    """Return whether begins exist: no circle of waiting is longer than its periods, of so many hundredths of a second.

    By Bellman and Ford.
    """
    begins = dict.fromkeys((one["name"] for one in document["tasks"]), 0)
    hundredths = {one["name"]: 100 * one["seconds"] for one in document["tasks"]}
    waits = [
        (one["name"], *((other, 0) if isinstance(other, str) else (other["task"], other["distance"])))
        for one in document["tasks"]
        for other in one.get("after", ())
    ]
    for _ in range(len(begins) + 1):
        changed = False
        for waiting, name, distance in waits:
            if begins[waiting] < begins[name] + hundredths[name] - distance * period:
                begins[waiting], changed = begins[name] + hundredths[name] - distance * period, True
        if not changed:
            return True
    return False


@pytest.mark.parametrize(
    ("variant", "fuse", "points"),
    [("pcg", None, 3), ("gropp-cg", None, 3), ("chronopoulos-cg", None, 2), ("pipelined-cg", None, 2),
     ("ifcg2", None, 2), ("ifcg1", None, 1), ("ifcg1", 1, 2), ("ifcg1", 5, Fraction(6, 5)),
     ("ifcg2", 20, Fraction(41, 20))],
)  # fmt: skip
def test_synchronisation_points_an_iteration(variant, fuse, points):
    few, more = (
        len(synchronisations(unroll(Loop(VARIANTS[variant], 2, iterations, fuse), closed=True), 2))
        for iterations in (20, 40)
    )
    assert Fraction(more - few, 20) == points


def test_what_can_be_done_beside_a_synchronisation():
    """The sums of PCG: nothing goes beside the first, the update of x beside the second; pipelined, 6 tasks do."""

    def beside(variant):
        found = synchronisations(unroll(Loop(VARIANTS[variant], 3, 3)), 3)
        return {one.name: one.beside for one in found if ".1" in one.name}

    assert beside("pcg") == {"alpha.1": 0, "beta.1": 3, "end.1": 0}
    assert beside("pipelined-cg") == {"beta.1": 6, "end.1": 0}
    assert beside("ifcg1")["beta.1"] > 6
    assert beside("ifcg2")["beta.1"] > beside("ifcg1")["beta.1"]
