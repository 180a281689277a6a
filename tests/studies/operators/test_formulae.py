"""Formulae of lectures beside what plans of operators move."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.evaluation.operators import movements, operator_plan
from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor, Window
from hypar_opt.studies.operators.formulae import (
    Sent,
    all_gather,
    all_reduce,
    domain,
    integrated,
    not_needed,
    sent_by,
    two_sided,
)
from hypar_opt.util.partition import Axis, Partition
from tests.evaluation.operators.test_chains import chain
from tests.helpers import document, each, linear_chain, problem_of

BATCH, WIDTHS = 1024, (2048, 1024, 3072, 1024)
GRIDS = [(rows, columns) for rows in range(1, 1025) for columns in range(1, 1024 // rows + 1) if rows * columns > 1]


def moved(graph, axes, strategies):
    partition = Partition(tuple(Axis(name, size) for name, size in axes.items() if size > 1))
    kept = [place for place, size in enumerate(axes.values()) if size > 1]
    words = {name: " ".join(word.split()[place] for place in kept) for name, word in strategies.items()}
    return sent_by(movements(graph, partition, operator_plan(graph, partition, words)), partition, 4)


def linear_layers(rows, columns, batch, widths):
    """Return what a chain moves whose outputs are split by rows of the grid, and its batch by columns."""
    layers = [f"l{number}" for number in range(len(widths) - 1)]
    return moved(chain(batch, widths), {"column": columns, "row": rows}, dict.fromkeys(layers, "batch out"))


@each("grid", GRIDS, quick=40)
def test_integrated_parallelism_on_all_grids(grid):
    needed, needless = linear_layers(*grid, BATCH, WIDTHS), not_needed(*grid, BATCH, WIDTHS)
    printed = integrated(*grid, BATCH, WIDTHS)
    assert needed.numbers + needless.numbers == printed.numbers
    assert needed.messages + needless.messages == printed.messages


@each("grid", [(2**row, 2**column) for row in range(4) for column in range(4) if row + column])
def test_leaf_exact_has_the_formula_but_for_the_last_output(grid):
    """It adds up errors for all as the formula does, and gathers what is read only."""
    rows, columns = grid
    word = "d" * (columns.bit_length() - 1) + "o" * (rows.bit_length() - 1)
    layers = linear_chain(192, 128, 320)
    whole = document(layers, [256], batch=64, levels=len(word), accounting="leaf-exact", input_error=False)
    problem = problem_of(whole, choices=("dp", "mp", "op"))
    choices = problem.choices({one["name"]: word for one in layers})
    found = Fraction(problem.graph.value(choices), problem.graph.objective.denominator * 4 * rows * columns)
    printed = integrated(rows, columns, 64, (256, 192, 128, 320))
    assert found + all_gather(rows, Fraction(64, columns) * 320).numbers == printed.numbers


@settings(max_examples=20)
@given(st.integers(2, 64), st.integers(1, 8), st.lists(st.integers(1, 40), min_size=2, max_size=5))
def test_batch_parallelism(processes, samples, widths):
    widths = [64 * width for width in widths]
    printed = integrated(1, processes, 64 * samples, widths)
    assert linear_layers(1, processes, 64 * samples, widths) == printed
    assert printed.messages == 2 * (processes - 1) * (len(widths) - 1)


def test_a_ring():
    assert all_reduce(4, 100) == Sent(6, Fraction(150))
    assert all_gather(4, 100) == Sent(3, Fraction(75))


def test_model_parallelism_beats_batch_parallelism_for_widths_above_one_and_a_half_batches():
    """Of equal layers; printed is three batches, as all-reduces of weights are charged once there and not twice."""
    layers, batch = 200, 64  # so many that the first and the last do not count
    for width, model_wins in ((90, False), (102, True)):
        widths = [width] * (layers + 1)
        model, by_batch = integrated(16, 1, batch, widths), integrated(1, 16, batch, widths)
        assert (model.numbers < by_batch.numbers) is model_wins


def strips(kernels, channels, batch, side):
    """Return convolutions of stride 1 that keep the size of the maps."""
    operators, tensors = [], [Tensor("x", (batch, channels, side, side), "input", has_gradient=False)]
    for number, kernel in enumerate(kernels):
        name, read = f"c{number}", f"c{number - 1}" if number else "x"
        sizes = {"batch": batch, "out": channels, "height": side, "width": side, "in": channels}
        windows = {dim: Window(side, kernel, before=kernel // 2) for dim in ("height", "width") if kernel > 1}
        operands = (
            Operand(read, ("batch", "in", "height", "width"), windows),
            Operand(f"{name}.weight", ("out", "in", None, None)),
        )
        output = Operand(name, ("batch", "out", "height", "width"))
        operators.append(Operator(name, "conv", name, sizes, tuple(sizes), operands, output))
        tensors += [
            Tensor(name, (batch, channels, side, side)),
            Tensor(f"{name}.weight", (channels, channels, kernel, kernel), "parameter"),
        ]
    return OperatorGraph({one.name: one for one in tensors}, tuple(operators))


@settings(max_examples=20)
@given(st.integers(2, 16), st.lists(st.sampled_from([1, 3, 5, 7]), min_size=1, max_size=4), st.integers(1, 5))
def test_domain_parallelism(processes, kernels, channels):
    side, batch = 16 * 15 * 14, 3
    graph = strips(kernels, channels, batch, side)
    # the first layer reads the input, whose rows are loaded where they are needed, and needs no gradient of it
    maps = [(side, channels, kernel) for kernel in kernels[1:]]
    weights = [channels**2 * kernel**2 for kernel in kernels]
    found = moved(graph, {"strip": processes}, {f"c{number}": "height" for number in range(len(kernels))})
    printed = domain(processes, batch, maps, weights)
    assert found.messages == printed.messages
    assert (found.numbers - printed.numbers) * processes == two_sided(processes, batch, maps)


def test_a_window_of_one_row_reaches_over_no_border():
    assert domain(4, 32, [(64, 64, 1)], []) == Sent()
    assert domain(4, 32, [(64, 64, 3)], []) == Sent(2, Fraction(2 * 32 * 64 * 64))
