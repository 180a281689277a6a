"""`array.collectives`: what it says, and what it does not go with."""

from __future__ import annotations

import pytest
from collectives import collective_of
from helpers import document, instance_of, linear_chain

from hypar_opt import load
from hypar_opt.instance.array import Array
from hypar_opt.util.errors import InputError

ARRAY = {
    "topology": "ring",
    "levels": 2,
    "link": {"bandwidth": 3},
    "placement": "identity",
    "collectives": {"algorithm": "ring"},
}


def read(array=(), drop=(), **said):
    whole = document(linear_chain(4, 4), [4], **said)
    fields = {name: one for name, one in {**ARRAY, **dict(array)}.items() if name not in drop}
    return instance_of({**whole, "array": fields})


def test_the_field_is_read():
    asked = read().scheduled_sums
    assert (asked.algorithm, asked.chunks, asked.levels) == ("ring", 1, "together")


@pytest.mark.parametrize("array", [{"collectives": {"algorithm": "pairwise"}}, {"collectives": {}}])
def test_counterparts_need_no_schedule(array):
    assert read({**array, "placement": "free"}).scheduled_sums is None


@pytest.mark.parametrize(
    ("array", "drop", "said", "message"),
    [
        ({"placement": "free"}, (), {}, "array.placement: expected a placement that is given .* try identity"),
        ({}, ("placement",), {}, "array.placement: expected a placement that is given"),
        ({}, ("link",), {}, "array.link.bandwidth: missing, and comm-time by a schedule needs it"),
        ({"levels": 7}, (), {}, "array.levels: expected at most 6 levels where exchanges are scheduled, got 7"),
        ({}, (), {"accounting": "collective"}, "cost.accounting: expected the accounting .* or the algorithm pairwise"),
        (
            {"collectives": {"algorithm": "ring", "chunks": 0}},
            (),
            {},
            "chunks: expected an integer of at least 1",
        ),
        ({"collectives": {"algorithm": "ring", "chunks": 65}}, (), {}, "array.collectives.chunks: expected at most 64"),
        ({"collectives": {"algorithm": 3}}, (), {}, "array.collectives.algorithm: expected"),
        (
            {"collectives": {"levels": "all"}},
            (),
            {},
            "levels: expected 'together' or 'each', got 'all'",
        ),
        ({"collectives": {"algoritm": "ring"}}, (), {}, "unknown field 'algoritm'.* 'algorithm'"),
    ],
)
def test_what_it_does_not_go_with(array, drop, said, message):
    with pytest.raises(InputError, match=message):
        read(array, drop, **said)


def test_stages_exchange_pairwise():
    whole = {**document(linear_chain(4, 4), [4], objective={"time": 1}), "microbatches": 2}
    accelerator = {"model": "as-evaluated", "rate": 8, "memory": {"bandwidth": 1}}
    with pytest.raises(InputError, match=r"array.collectives: expected the algorithm pairwise where layers are put"):
        instance_of({**whole, "array": {**ARRAY, "accelerator": accelerator}})


def test_it_is_an_argument_in_python():
    made = Array("ring", 2, link={"bandwidth": 3}, placement="identity", collectives={"algorithm": "best", "chunks": 2})
    assert (made.collectives.algorithm, made.collectives.chunks) == ("best", 2)


def test_operators_have_no_schedules():
    with pytest.raises(InputError, match="--array collectives: partial sums are scheduled where networks of layers"):
        load("gpt2-block", array={"levels": 2, "collectives": {"algorithm": "ring"}})


def test_a_collective_is_none_of_a_network():
    with pytest.raises(InputError, match=r"array.collectives: is how networks exchange partial sums"):
        collective_of("ring", array={"topology": "ring", "levels": 2, "collectives": {"algorithm": "ring"}})
