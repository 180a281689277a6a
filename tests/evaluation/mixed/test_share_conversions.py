"""A layer at one share, the next at another: what each half reads is the table of all nine pairs of types."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mixed_machines import array_of, kinds_of, setting_of

from hypar_opt.cost.mixed.grid_compile import GridCompiler
from hypar_opt.cost.mixed.model import MixedModel
from hypar_opt.evaluation.mixed import communication_bytes, exchanges, own_share_fault, too_fine
from hypar_opt.instance.network import Network, workload
from hypar_opt.instance.shares import own_share

GRID = 12
PARTS = st.integers(1, GRID - 1)
WORK = workload(Network((16,), [{"name": name, "linear": {"features": 16}} for name in ("fc1", "fc2")]))
SETTING = setting_of(array_of((0, 1), kinds_of(2)), batch=16, size=1)
SIZE = 16 * 16
"""Of the tensor between the layers, and of its error."""


def forward_and_backward(first, second, a, c):
    """Return what the first half reads of F[l+1] and of E[l+1], as parts of the tensor.

    Parameters
    ----------
    first, second
        The types, d, m or o.
    a, c
        What the first half gets of the producer and of the reader.
    """
    b, rest = 1 - a, 1 - c
    along = max(0, c - a), max(0, a - c)  # what is cut along one dimension twice
    across = c * b, a * rest  # along two dimensions
    return {
        "dd": along, "dm": across, "do": (b, 0),
        "md": (0, rest), "mm": (0, rest), "mo": (0, 0),
        "od": across, "om": along, "oo": (b, 0),
    }[first + second]  # fmt: skip


@pytest.mark.parametrize("pair", ["dd", "dm", "do", "md", "mm", "mo", "od", "om", "oo"])
@given(PARTS, PARTS)
def test_conversions(pair, a, c):
    shares = {own_share("fc1", "root"): Fraction(a, GRID), own_share("fc2", "root"): Fraction(c, GRID)}
    words = dict(zip(("fc1", "fc2"), pair, strict=True))
    found = {one.moved: one.halves for one in exchanges(WORK, words, shares, SETTING) if one.moved != "sums"}
    for side, parts in enumerate(((a, c), (GRID - a, GRID - c))):
        read = forward_and_backward(*pair, *(Fraction(one, GRID) for one in parts))
        for moved, part in zip(("feature", "error"), read, strict=True):
            (here,) = [bytes_ for path, bytes_ in found[moved].items() if path[-1].side == side]
            assert here == part * SIZE


@given(st.data())
def test_the_cost_model_has_the_same_table(data):
    model = MixedModel(16, SETTING.array, SETTING.barrier, SETTING.optimiser, choices="dmon", bytes_per_element=1)
    compiler = GridCompiler.of(WORK, model, GRID)
    choices = tuple(data.draw(st.integers(0, words.size - 1)) for words in compiler.words)
    read = [words.at(choice) for words, choice in zip(compiler.words, choices, strict=True)]
    shares = {own_share(layer.name, "root"): own[0] for layer, (_, own) in zip(WORK.layers, read, strict=True) if own}
    words = {layer.name: word for layer, (word, _) in zip(WORK.layers, read, strict=True)}
    assert own_share_fault(WORK, words, shares, SETTING, GRID) is None
    graph = compiler.of_bytes()
    total = Fraction(graph.value(choices), graph.objective.denominator)
    assert total == communication_bytes(WORK, words, shares, SETTING).total


@pytest.mark.parametrize(
    ("words", "shares", "expected"),
    [
        ("dd", {"fc1/root": 3}, "the plan has no share 'fc2/root'"),
        ("dn", {"fc1/root": 3, "fc2/root": 3}, "the plan has a share 'fc2/root', and no layer is cut by it; did"),
        ("dn", {"fc1/root": 3, "root": 3}, "the plan has a share 'root', and no layer is cut by it"),
        ("dn", {"fc1/root": 12}, "'fc1/root' has share 1, expected a number between 0 and 1, both left out"),
        ("dn", {"fc1/root": Fraction(1, 2)}, "'fc1/root' has share 1/24, expected so many of 12 equal parts"),
        ("mn", {"fc1/root": 3}, None),
    ],
)  # fmt: skip
def test_shares_that_no_layer_may_have(words, shares, expected):
    plan = dict(zip(("fc1", "fc2"), words, strict=True))
    own = {name: Fraction(part) / GRID for name, part in shares.items()}
    found = own_share_fault(WORK, plan, own, SETTING, GRID)
    assert found == expected or found.startswith(expected)


@pytest.mark.parametrize("letter", "dmo")
def test_a_grid_finer_than_the_dimension(letter):
    plan, shares = {"fc1": letter, "fc2": "n"}, {"fc1/root": Fraction(1, 17)}
    split = {"d": "batch", "m": "input", "o": "output"}[letter]
    why = f"'{letter}' splits its {split}, 16 at most, and so not into 17 parts"
    assert own_share_fault(WORK, plan, shares, SETTING, 17) == f"layer 'fc1' has '{letter}', and {why}"
    assert too_fine(WORK.layers[0], letter, SETTING, 16) is None
