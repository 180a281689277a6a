"""Buffers of blocks that are alike, followed once and shifted, against those of every tensor by itself."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypar_opt.evaluation.operators import operator_plan
from hypar_opt.evaluation.operators.buffers import buffers
from hypar_opt.evaluation.operators.shifted import ShiftedBuffers
from hypar_opt.evaluation.operators.timeline import Timeline
from tests.evaluation.operators.random_operators import random_partition, random_storage, random_strategies
from tests.evaluation.operators.test_likeness import network, often_alike
from tests.helpers import each


def timeline_of(seed):
    """Return the moments of a random plan of blocks, most of which have the same words; None where there is none."""
    random = Random(f"shifted {seed}")
    graph, partition = network(random), random_partition(seed, most=8, sizes=(2, 4))
    strategies = random_strategies(seed, graph, partition, divisible=False)
    if strategies is None:
        return None
    stored = often_alike(random, random_storage(seed, graph)) if seed % 2 else {}
    recompute = "blocks" if seed % 3 else "none"
    chosen = often_alike(random, strategies)
    return Timeline(graph, operator_plan(graph, partition, chosen, stored, recompute=recompute))


def facts(one, first, last):
    return one.tensor.sizes, one.tensor.role, one.placement, one.use, one.times, first, last


@each("seed", range(100), quick=6)
def test_every_buffer_is_there_when_it_is_followed_by_itself(seed):
    timeline = timeline_of(seed)
    if timeline is None:
        return
    alike = list(ShiftedBuffers(timeline, 2))
    shifted = Counter(facts(one.buffer, *span) for one in alike for span in one.spans)
    assert shifted == Counter(facts(one, one.first, one.last) for one in buffers(timeline, 2))


def test_many_are_shifted():
    timelines = [one for one in map(timeline_of, range(12)) if one is not None]
    followed = sum(len(list(ShiftedBuffers(one, 2))) for one in timelines)
    assert followed < 0.9 * sum(len(list(buffers(one, 2))) for one in timelines)
