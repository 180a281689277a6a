"""Rules by which gradients are sent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from random import Random

import pytest
from small_transfers import drawn, problem_of

from hypar_opt.studies.transfers import GradientMessage, GradientPart, SentMessages, best_whole, least_end
from hypar_opt.studies.transfers.rules import transfer_rules
from hypar_opt.studies.transfers.rules.rule import TransferRule
from hypar_opt.studies.transfers.sending import send_by
from tests.helpers import each

THREE = problem_of([6, 4, 0], [1, 3, 9], [2, 2, 2], start_up=1)
"""The last layer's gradient is large, and ready early."""
KNOWN = {
    "fifo": [(0, "2:9"), (10, "1:3"), (14, "0:1")],
    "priority": [(0, "2:9"), (10, "0:1"), (12, "1:3")],
    "priority-chunks": [(0, "2:2"), (3, "2:2"), (6, "0:1"), (8, "1:2"), (11, "1:1"), (13, "2:2"),
                        (16, "2:2"), (19, "2:1")],
    "prophet": [(6, "0:1 1:3 2:9")],
    "prophet-chunks": [(0, "2:2"), (6, "0:1 1:3 2:7")],
    "prophet-busy": [(0, "2:9"), (10, "0:1 1:3")],
    "merged": [(0, "2:9"), (10, "0:1 1:3")],
    "one-message": [(6, "0:1 1:3 2:9")],
}  # fmt: skip
"""By rule, when messages begin, and what is in them: gradient and seconds, chunks of 2 s."""


def _written(sent):
    return [(one.begin, " ".join(f"{part.gradient}:{part.seconds}" for part in one.parts)) for one in sent.messages]


def test_every_rule_is_known():
    assert list(transfer_rules()) == list(KNOWN)


@pytest.mark.parametrize("name", KNOWN)
def test_known_messages(name):
    assert _written(send_by(transfer_rules()[name], THREE, Fraction(2))) == KNOWN[name]


@each("seed", range(150), quick=20)
def test_messages_are_legal_and_end_no_earlier_than_the_optima(seed):
    random = Random(seed)
    problem = drawn(random, random.randint(1, 7), 6)
    best, whole = least_end(problem), best_whole(problem).sent.end
    for rule in transfer_rules().values():
        sent = send_by(rule, problem, Fraction(random.randint(1, 3), 2))
        assert sent.fault is None, rule.name
        assert sent.end >= (best if rule.cuts else whole), rule.name


@each("seed", range(150), quick=20)
def test_without_start_ups_priority_in_ever_smaller_chunks_is_the_optimum(seed):
    random = Random(seed)
    problem = replace(drawn(random, random.randint(1, 7), 6), start_up=Fraction(0))
    assert send_by(transfer_rules()["priority-chunks"], problem, Fraction(1)).end == least_end(problem)


@each("seed", range(150), quick=20)
def test_priority_in_chunks_loses_at_most_a_chunk_and_the_start_ups(seed):
    random = Random(seed)
    problem = drawn(random, random.randint(1, 7), 9)
    chunk = Fraction(random.randint(1, 5), 2)
    messages = sum(ceil(one.seconds / chunk) for one in problem.gradients)
    sent = send_by(transfer_rules()["priority-chunks"], problem, chunk)
    assert len(sent.messages) == messages
    assert sent.end <= least_end(problem) + chunk + messages * problem.start_up


@each("seed", range(100), quick=20)
def test_prophets_blocks_end_before_the_next_gradient_is_ready(seed):
    problem = drawn(Random(seed), 6, 3)
    ready = sorted({one.ready for one in problem.gradients})
    for name in ("prophet", "prophet-chunks"):
        for message in send_by(transfer_rules()[name], problem, Fraction(1)).messages:
            end = message.begin + problem.start_up + sum(part.seconds for part in message.parts)
            assert all(end <= moment for moment in ready if moment > message.begin)


def test_a_rule_that_sends_nothing_is_refused():
    idle = TransferRule("idle", "", "", lambda state: (), 0)
    with pytest.raises(ValueError, match="the rule idle sends nothing"):
        send_by(idle, THREE, Fraction(1))


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([(6, [0, 1, 2])], None),
        ([(5, [0, 1, 2])], "message 1 begins before the gradient of g0 is ready"),
        ([(0, [2]), (9, [0, 1])], "message 2 begins before the link is free"),
        ([(6, [0, 1])], "of the gradient of g2 more or less than all is sent"),
        ([(6, [0, 1, 2, 2])], "of the gradient of g2 more or less than all is sent"),
    ],
)
def test_what_is_wrong_with_messages(messages, said):
    made = tuple(
        GradientMessage(Fraction(begin), tuple(GradientPart(place, THREE.gradients[place].seconds) for place in places))
        for begin, places in messages
    )
    assert SentMessages(THREE, made).fault == said


@each("seed", range(90), quick=15)
def test_waiting_costs_at_most_as_much_as_the_optimum_takes(seed):
    """Prophet's blocks end before the last gradient is ready, all else goes then: no later than all of it in one."""
    random = Random(seed)
    problem = drawn(random, random.randint(1, 7), 9)
    ends = {name: send_by(rule, problem, Fraction(1)).end for name, rule in transfer_rules().items()}
    assert max(ends["prophet"], ends["prophet-chunks"]) <= ends["one-message"] <= 2 * least_end(problem)
    without = replace(problem, start_up=Fraction(0))
    for name in ("fifo", "priority", "priority-chunks", "merged", "prophet-busy"):
        assert send_by(transfer_rules()[name], without, Fraction(1)).end <= 2 * least_end(without)


def test_waiting_can_cost_nearly_as_much_as_the_optimum_takes():
    problem = problem_of([100, 0], [1, 101], [0, 0])
    assert send_by(transfer_rules()["prophet"], problem, Fraction(1)).end == 202
    assert best_whole(problem).sent.end == least_end(problem) == 102
