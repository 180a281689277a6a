"""The traffic matrix by layer, phase and level, and the links that each part loads."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import document, linear_chain, problem_of

from hypar_opt.evaluation.communication import PhaseExchange, by_phase
from hypar_opt.evaluation.links import traffic_of
from tests.evaluation.links.machines import line, matrix, measure, of_part, ring, star

FORWARD = PhaseExchange("fc1", "layer", "forward", (8, 0))
GRADIENT = PhaseExchange("fc1", "layer", "gradient", (0, 2))


def test_every_accelerator_sends_to_its_counterpart_only():
    sent = list(matrix(traffic_of(line(4), (3, 1, 2, 0), (FORWARD, GRADIENT))))
    # leaves 0-2 and 1-3 stand on 3-2 and 1-0; leaves 0-1 and 2-3 on 3-1 and 2-0
    assert [(one.source, one.target, one.amount) for one in sent if one.part is FORWARD] == [
        (3, 2, 2), (1, 0, 2), (2, 3, 2), (0, 1, 2),
    ]  # fmt: skip
    assert [(one.source, one.target, one.amount) for one in sent if one.part is GRADIENT] == [
        (3, 1, Fraction(1, 2)), (1, 3, Fraction(1, 2)), (2, 0, Fraction(1, 2)), (0, 2, Fraction(1, 2)),
    ]  # fmt: skip
    assert {(one.part.phase, one.level) for one in sent} == {("forward", 0), ("gradient", 1)}


def test_the_matrix_is_not_made_before_it_is_asked_for():
    entries = matrix(traffic_of(line(4), range(4), (FORWARD,)))
    assert next(entries).amount == 2


def test_a_plan_on_a_ring():
    problem = problem_of(document(linear_chain(4, 4, 4), [4], batch=2, levels=2))
    strategies = {"fc1": "md", "fc2": "dm", "fc3": "mm"}
    breakdown = problem.bytes_of(strategies)
    traffic = traffic_of(ring(4), (0, 2, 1, 3), by_phase(problem.work, strategies, breakdown))
    total = traffic.in_all()
    assert total.volumes == tuple(breakdown.level(h) for h in range(2))
    assert total.levels == measure(ring(4), (0, 2, 1, 3), total.volumes).levels
    assert sum(one.amount for one in matrix(traffic)) == breakdown.total
    for hop, load in total.loads.items():
        parts = [of_part(traffic, part).levels[h].get(hop, 0) for part in traffic.parts for h in range(2)]
        assert sum(parts) == load
    assert sum(of_part(traffic, part).hop_bytes for part in traffic.parts) == total.hop_bytes


def test_the_matrix_adds_up_to_what_leaves_each_accelerator():
    traffic = traffic_of(star(4), range(4), (FORWARD, GRADIENT))
    loads = traffic.in_all().loads
    for site in range(4):
        assert sum(one.amount for one in matrix(traffic) if one.source == site) == loads[site, 4]
        assert sum(one.amount for one in matrix(traffic) if one.target == site) == loads[4, site]


def test_no_parts_no_traffic():
    traffic = traffic_of(line(4), range(4), ())
    assert list(matrix(traffic)) == []
    assert (traffic.in_all().hop_bytes, traffic.in_all().comm_time) == (0, 0)
    assert traffic.in_all().busiest == (None, None)


def test_parts_of_other_levels_are_refused():
    with pytest.raises(ValueError, match=r"^'fc1' has 2 levels, the placement has 1$"):
        traffic_of(line(4), (0, 1), (FORWARD,))
