"""Which combinations are explored."""

from __future__ import annotations

import pytest
from helpers import document, linear_chain, problem_of

from hypar_opt.studies.sweep import space_of
from hypar_opt.util.errors import InputError, Refusal


def words(space):
    return [space.strategies(index) for index in range(space.count)]


def space(levels=2, base=("dd", "dd"), layers=None, free=None, **more):
    problem = problem_of(document(linear_chain(4, 4), [8], levels=levels, **more))
    return space_of(problem, problem.choices(dict(zip(("fc1", "fc2"), base, strict=True))), layers, free)


def test_all_letters_of_one_layer_in_order():
    found = space(layers=["fc2"], base=("dm", "md"))
    assert words(found) == [{"fc1": "dm", "fc2": word} for word in ("dd", "dm", "md", "mm")]
    assert found.base_index == 2


def test_one_level_of_all_layers_the_last_layer_fastest():
    found = space(free=[2], base=("dm", "md"))
    assert [(one["fc1"], one["fc2"]) for one in words(found)] == [
        ("dd", "md"),
        ("dd", "mm"),
        ("dm", "md"),
        ("dm", "mm"),
    ]
    assert found.strategies(found.base_index) == {"fc1": "dm", "fc2": "md"}


def test_layers_and_levels_together():
    found = space(layers=["fc1"], free=[1], base=("dm", "md"))
    assert words(found) == [{"fc1": "dm", "fc2": "md"}, {"fc1": "mm", "fc2": "md"}]


def test_what_a_split_forbids_is_no_candidate():
    found = space(batch=2, splits="divisible", base=("dm", "dm"), layers=["fc1"])
    assert [one["fc1"] for one in words(found)] == ["dm", "md", "mm"]


def test_a_strategy_that_is_given_stays():
    found = space(fix={"fc1": "mm"}, base=("mm", "dd"))
    assert {one["fc1"] for one in words(found)} == {"mm"}
    assert found.count == 4


def test_of_no_level_there_is_one_combination():
    assert words(space(levels=0, base=("", ""))) == [{"fc1": "", "fc2": ""}]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"layers": ["fc3"]}, "--layers: the network decides no layer 'fc3'; did you mean 'fc2'?"),
        ({"layers": ["zz"]}, "--layers: the network decides no layer 'zz'; there are fc1, fc2"),
        ({"layers": ["fc1", "fc1"]}, "--layers: 'fc1' comes twice"),
        ({"layers": []}, "--layers: names none; leave it out for all"),
        ({"free": [3]}, "--levels-free: expected levels from 1 to 2, got 3"),
        ({"free": [0]}, "--levels-free: expected levels from 1 to 2, got 0"),
        ({"free": [1, 1]}, "--levels-free: 1 comes twice"),
        ({"free": []}, "--levels-free: names none; leave it out for all"),
        ({"fix": {"fc1": "mm"}}, "plan.fc1: the base plan's 'dd' is not allowed here"),
    ],
)
def test_bad_input(given, message):
    with pytest.raises(InputError) as error:
        space(**given)
    assert str(error.value) == message


def test_a_million_and_no_more():
    problem = problem_of(document(linear_chain(4, 4), [8], levels=10))
    base = problem.choices({"fc1": "d" * 10, "fc2": "d" * 10})
    assert space_of(problem, base, ["fc1"]).count == 1024
    assert space_of(problem, base, None, range(1, 10)).count == 2**18
    with pytest.raises(Refusal) as error:
        space_of(problem, base)
    assert str(error.value) == (
        "2 layers at 10 levels are 1,048,576 combinations, and at most 1,000,000 are explored; name fewer: --layers, "
        "--levels-free; the best of all is what solve finds"
    )


def test_a_count_that_nobody_reads_is_rounded():
    problem = problem_of(document(linear_chain(*[4] * 30), [4], levels=4))
    with pytest.raises(Refusal, match=r"^30 layers at 4 levels are about 10\^36 combinations, "):
        space_of(problem, [0] * 30)
