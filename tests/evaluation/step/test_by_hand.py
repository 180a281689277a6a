"""The analytic model on a layer that can be worked out on paper."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import document, problem_of

from hypar_opt.evaluation.step import PHASES, phase_seconds
from hypar_opt.evaluation.step.computing import OnGrid

LINEAR = [{"name": "fc", "linear": {"features": 6}}]
CONV = [{"name": "conv", "conv": {"filters": 2, "kernel": 3}}, {"name": "pool", "pool": {"kernel": 2}}]


def machine(model, **changes):
    return {
        "topology": "h-tree", "levels": 1, "placement": "identity", "link": {"bandwidth": 10, "energy": 1},
        "accelerator": {
            "model": model, "rate": 100, "grid": [2, 3], "buffer": 64, "utilisation": 1,
            "energy": {"add": 1, "multiply": 2, "sram": 3, "dram": 10},
        } | changes,
    }  # fmt: skip


def problem(layers, shape, model, *, batch=4, optimiser="sgd", **changes):
    whole = document(layers, shape, batch=batch, levels=1, accounting="receiver", optimiser=optimiser)
    return problem_of(whole | {"array": machine(model, **changes)})


def step_of(one, word):
    name = one.work.layers[0].name
    return one.step(one.bytes_of({name: word}), one.sites)


def test_a_step_as_evaluated_by_hand():
    """8 -> 6 on 2 accelerators, batch 4: 192 multiply-accumulates a phase, 96 on each."""
    step = step_of(problem(LINEAR, [8], "as-evaluated"), "d")
    assert [one.seconds for one in step.stages] == [Fraction(2 * 96, 100)] * 3 + [0]
    # held under d: W 48 on each of both, F[l] 32 and F[l+1] 24 halved; once a phase
    held = 2 * (48 + 16 + 12)
    # exchanged: 2 x 4 bytes x |dW| = 384, three accesses a word
    assert step.breakdown.total == 384
    assert step.costs["dram-energy"] == 10 * (3 * held + 3 * 96)
    assert step.costs["multiply-energy"] == 2 * 3 * 192
    assert step.costs["add-energy"] == 3 * 192
    assert step.costs["sram-energy"] == 0
    # each side sends 192 bytes to the other through links of 10 bytes a second, and every byte crosses two
    assert step.costs["comm-time"] == Fraction(192, 10)
    assert step.costs["comm-energy"] == 384 * 2
    assert step.costs["time"] == step.costs["compute-time"] + step.costs["comm-time"]
    parts = ("multiply-energy", "add-energy", "sram-energy", "dram-energy", "comm-energy")
    assert step.costs["energy"] == sum(step.costs[name] for name in parts)


def test_row_stationary():
    """The same layer under m: in halves 4 -> 6; a buffer of 16 words; grid 2 x 3."""
    step = step_of(problem(LINEAR, [8], "row-stationary"), "m")
    forward, backward, gradient, update = step.stages
    assert [one.phase for one in step.stages] == list(PHASES)
    f, w, e = 16, 24, 24  # of one accelerator: F[l] 4 x 4, W 4 x 6, E[l+1] 4 x 6 whole
    # F and W to E: F stays in one chunk, W passes once (16 + 24); W stays: 24 + 16 x 2; E stays: (16 + 24) x 2
    assert forward.dram == (f + w) + e
    # E and W to F: F stays in one chunk, and both pass once
    assert backward.dram == (e + w) + f
    assert gradient.dram == (f + e) + w
    assert (update.dram, update.multiplies, update.adds) == (3 * 24, 24, 24)
    # one row, one column each: two sets down, three across; inputs feed 3, weights 1, sums 2
    assert forward.sram == 96 * (Fraction(1, 3) + 1 + Fraction(2, 2))
    assert forward.seconds == Fraction(2 * 96, 100)
    assert update.seconds == Fraction(48, 100)
    # forward's partial sums: 2 x 4 x 24 bytes exchanged, two accesses a word
    assert step.breakdown.total == 192
    total = 2 * (forward.dram + backward.dram + gradient.dram + update.dram)
    assert step.costs["dram-energy"] == 10 * (total + 2 * 48)


def test_a_memory_that_is_slower_than_computing():
    step = step_of(problem(LINEAR, [8], "row-stationary", memory={"bandwidth": 50}), "m")
    assert [one.seconds for one in step.stages] == [one.dram * 4 / 50 for one in step.stages]


@pytest.mark.parametrize(("name", "states", "operations"), [("sgd", 0, 2), ("momentum", 1, 4), ("adam", 2, 12)])
def test_what_an_optimiser_needs(name, states, operations):
    update = step_of(problem(LINEAR, [8], "row-stationary", optimiser=name), "m").stages[-1]
    assert update.dram == (3 + 2 * states) * 24
    assert update.multiplies + update.adds == operations * 24


def test_a_convolution_counts_positions_of_its_own_map():
    """6 x 6 to 4 x 4 by 3 x 3 on 3 channels, then pooled to 2 x 2."""
    layer = problem(CONV, [3, 6, 6], "row-stationary").work.layers[0]
    assert (layer.kernel, layer.map_in, layer.map_out) == ((3, 3), (6, 6), (4, 4))
    assert (layer.written, layer.feature_out) == (2 * 16, 2 * 4)
    assert layer.macs == 54 * 16
    assert layer.macs_on_input == 54 * 36


def test_the_grid():
    """12 x 14: a 3 x 3 kernel four times down; 27 rows of output in two folds of 14."""
    one = OnGrid(3, 3, 27, 27, 12, 14)
    assert (one.sets_down, one.sets_across) == (4, 1)
    assert one.filled == Fraction(27, 28)
    assert one.accesses == Fraction(1, 9) + Fraction(1, 14 * 27) + Fraction(2, 36)
    # a kernel that is higher than the grid is folded
    assert OnGrid(13, 13, 2, 2, 12, 14).filled == Fraction(13, 24)
    assert OnGrid(13, 13, 2, 2, 12, 14).accesses == Fraction(1, 169 * 7) + Fraction(1, 4) + Fraction(2, 12 * 13)


def test_what_stays_resident():
    one = problem(LINEAR, [8], "row-stationary", optimiser="adam")
    assert one.resident({"fc": "m"}) == {"fc": 4 * (4 * 24 + 16)}
    assert one.resident({"fc": "d"}) == {"fc": 4 * (4 * 48 + 16)}


def test_the_bounds_for_overlapped_steps():
    whole = document([*LINEAR, {"name": "fc2", "linear": {"features": 2}}], [8], batch=4, accounting="receiver")
    one = problem_of(whole | {"array": machine("as-evaluated")})
    breakdown = one.bytes_of({"fc": "m", "fc2": "d"})
    step = one.step(breakdown, one.sites)
    fc, fc2 = (sum(s.seconds for s in step.stages if s.layer == name) for name in ("fc", "fc2"))
    moved = [Fraction(sum(breakdown.intra[0]), 20), Fraction(sum(breakdown.intra[1]) + sum(breakdown.inter[0]), 20)]
    assert step.together.none == fc + fc2 + sum(moved) == step.costs["time"]
    assert step.together.by_layer == max(fc, moved[0]) + max(fc2, moved[1])
    assert step.together.perfect == max(fc + fc2, sum(moved))
    assert step.together.perfect <= step.together.by_layer <= step.together.none


def test_levels_on_different_links_overlap_perfectly():
    """2 x 2 torus: level 1 crosses rows, level 2 columns, so that the busiest link has one level's to carry."""
    whole = document(LINEAR, [8], batch=4, levels=2, accounting="receiver")
    array = machine("as-evaluated", rate=10**9) | {"topology": "torus", "levels": 2}
    one = problem_of(whole | {"array": array})
    breakdown = one.bytes_of({"fc": "dd"})
    step = one.step(breakdown, one.sites)
    by_level = [Fraction(breakdown.level(h), 4 * 10) for h in range(2)]
    assert step.comm_time == sum(by_level)
    assert step.together.perfect == max(by_level)


def test_seconds_by_layer_and_phase():
    one = problem(LINEAR, [8], "as-evaluated")
    step = step_of(one, "d")
    found = phase_seconds(one.work, {"fc": "d"}, step.setting)
    assert found == {(0, one.phase): one.seconds for one in step.stages}
    assert sum(found.values()) == step.compute_time
