"""The loops of the smoothed dual against partition functions, dense matrices and plain loops."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from helpers import each

from formulations.lagrangian.dual import Dual
from formulations.lagrangian.moments import moments, spread, step
from formulations.lagrangian.passing import passed, penalised
from formulations.lagrangian.pricing import used
from formulations.lagrangian.smoothing import absorbed, softly_passed
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import Tables, graph_of
from tests.instance.strategy_graph.drawing import draw, plans

SEEDS = range(20)


class Soft:
    """The loops with what they take, beside nobody's prices."""

    def __init__(self, tables, mu, seed=0, most=0.0):
        self.layout, self.mu = penalised(tables), mu
        dual = Dual(tables, self.layout)
        self.begins = dual.begins
        self.messages = np.random.default_rng(seed).uniform(-most, most, len(dual.messages))
        self.forwards = np.arange(tables.count)
        self.references, self.kernels = np.empty_like(self.messages), np.empty(len(self.layout.pairs), np.float32)
        self.absorb()

    def absorb(self):
        absorbed(self.layout, self.begins, self.messages, self.mu, self.references, self.kernels)

    def passed(self, back=False):
        order = self.forwards[::-1].copy() if back else self.forwards
        shares = np.empty(len(self.layout.unary))
        kept = self.mu, self.references, self.kernels, shares
        rank = order  # of this order and its reverse
        return softly_passed(self.layout, self.layout.unary, self.messages, self.begins, order, rank, *kept), shares


def chain(seed, most=50):
    noise = np.random.default_rng(seed)
    ends = [[one, one + 1] for one in range(4)]
    return Tables(np.full(5, 3), noise.integers(0, most, 15), np.array(ends), noise.integers(0, most, 36))


def summed(tables, mu):
    """Return -mu log of the sum over all assignments of exp(-cost / mu), and the shares of all values."""
    costs = np.array([tables.value(np.array(one)) for one in product(range(3), repeat=5)], dtype=np.float64)
    weights = np.exp((costs.min() - costs) / mu)
    shares = np.zeros(15)
    for one, weight in zip(product(range(3), repeat=5), weights / weights.sum(), strict=True):
        shares[np.arange(5) * 3 + one] += weight
    return costs.min() - mu * np.log(weights.sum()), shares


@each("seed", SEEDS)
def test_on_a_chain_passes_have_the_partition_function_and_the_marginals(seed):
    tables, mu = chain(seed), (0.5, 5.0, 500.0)[seed % 3]
    soft, (whole, marginals) = Soft(tables, mu), summed(tables, mu)
    bounds = [soft.passed(back)[0] for back in (False, True)]
    assert bounds == pytest.approx([whole] * 2, abs=1e-4 * mu)
    assert soft.passed()[1] == pytest.approx(marginals, abs=1e-4)


@pytest.mark.parametrize("mu", [1e-6, 0.02, 1.0])
def test_what_single_precision_cannot_hold_is_the_hard_least(mu):
    tables = chain(3, 10_000)
    soft, (whole, marginals) = Soft(tables, mu, most=5_000.0), summed(tables, mu)
    assert soft.passed()[0] == pytest.approx(whole, abs=1e-3 * mu + 1e-6)
    assert soft.passed(True)[1] == pytest.approx(marginals, abs=1e-3)
    assert np.isfinite(soft.messages).all()


def test_a_message_is_right_however_far_the_messages_are_from_their_references():
    tables = chain(1)
    soft = Soft(tables, 1.0)
    soft.messages += np.random.default_rng(1).uniform(-500.0, 500.0, len(soft.messages))
    assert soft.passed()[0] == pytest.approx(summed(tables, 1.0)[0], abs=5.0)  # at most mu log 3 an edge
    soft.absorb()
    assert soft.passed()[0] == pytest.approx(summed(tables, 1.0)[0], abs=1e-3)


@each("seed", SEEDS, quick=8)
def test_no_pass_lowers_the_smoothed_bound_and_none_is_above_the_hard_one(seed):
    tables = graph_of(compile_graph(draw(seed, most_nodes=8, hard=True)))[0].tables
    for mu in (0.1, 1.0, 20.0):
        soft, before = Soft(tables, mu, seed, 10.0), -np.inf
        for back in (False, True) * 4:
            bound, shares = soft.passed(back)
            assert bound >= before - 1e-4 * mu - 1e-9 * tables.span
            assert np.add.reduceat(shares, tables.starts[:-1]) == pytest.approx(1.0)
            before = bound
            soft.absorb()
        hard, choices = soft.messages.copy(), np.zeros(tables.count, dtype=np.int64)
        order = soft.forwards
        assert before <= passed(soft.layout, soft.layout.unary, hard, soft.begins, order, order, choices) + 1e-3 * mu


@each("seed", SEEDS, quick=8)
def test_shares_use_what_assignments_use_on_average_and_vary_as_they_do(seed):
    graph = draw(seed, hard=True)
    tables = graph_of(compile_graph(graph))[0].tables
    layout, memory = penalised(tables), tables.memory
    some = plans(graph)[:10] if len(plans(graph)) else []
    shares = np.zeros(len(tables.unary))
    for one in some:
        shares[tables.starts[:-1] + one] += 1 / len(some)
    use, variances = moments(layout, shares)
    if len(some):
        assert use == pytest.approx(np.mean([used(layout, one) for one in some], axis=0))
    assert len(variances) == len(memory.holders)
    for item, (start, holder) in enumerate(zip(layout.usage_starts, _holders(layout), strict=False)):
        own = shares[tables.starts[holder] : tables.starts[holder + 1]]
        usages = layout.usages[start : start + len(own)]
        assert variances[item] == pytest.approx(own @ (usages - own @ usages) ** 2)


def _holders(layout):
    return np.repeat(np.arange(len(layout.items) - 1), np.diff(layout.items))


@each("seed", SEEDS, quick=8)
def test_the_step_is_the_best_of_the_quadratic_model(seed):
    noise = np.random.default_rng(seed)
    tables = graph_of(compile_graph(draw(seed, most_nodes=8, hard=True)))[0].tables
    layout, rows = penalised(tables), tables.memory.rows
    inside = np.zeros((len(layout.first), rows))
    for item, (first, last) in enumerate(zip(layout.first, layout.last, strict=True)):
        inside[item, first:last] = 1.0
    weights, gradient = noise.random(len(inside)), noise.normal(size=rows)
    prices, reach = noise.random(rows) * noise.integers(0, 2, rows), np.ones(rows)
    curved = inside.T @ (weights[:, None] * inside)
    assert spread(layout, weights, gradient) == pytest.approx(curved @ gradient)
    found = step(layout, prices, gradient, weights, 0.5, reach)
    assert (prices + found >= 0.0).all()
    slope = gradient - (curved + np.diag(0.5 * np.diag(curved) + np.abs(gradient))) @ found
    inner = prices + found > 0.0
    assert np.abs(slope[inner]).max(initial=0.0) <= 0.1 * np.abs(gradient).max(initial=0.0)
