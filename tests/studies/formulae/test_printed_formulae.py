"""Formulae of sources beside what plans move: equal where they are right, and where they are put right."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from hypar_opt import solve
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.evaluation.operators.halos import halo
from hypar_opt.instance import Instance, operators
from hypar_opt.instance.operators.instance import OperatorInstance
from hypar_opt.studies.formulae import FORMULAE, Convolved, FormulaSetting, project_bytes
from hypar_opt.studies.formulae.beside_model import model_is_less
from hypar_opt.studies.formulae.domain import halo_bytes
from hypar_opt.util.errors import InputError

WIDTHS = (784, 256, 128, 10), (64, 64, 64), (48, 96, 32, 160, 80)
GRIDS = tuple(product((2, 4, 8), (1, 2, 8)))
PLANS = [name for name, one in FORMULAE.items() if one.counterpart is not None]
FIRST = ("data-parallel", "model-parallel", "integrated")
WRONG = {
    "model-forward", "model-inputs", "model-parallel", "data-beside-model", "integrated", "domain",
    "parameter-server-time", "ring-rounds",
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*FIRST, *(name for name in PLANS if name not in FIRST)])
def test_put_right_they_are_what_plans_move_on_27_grids(name):
    formula, cases = FORMULAE[name], list(product(WIDTHS, GRIDS))
    assert len(cases) == 27
    for widths, (rows, columns) in cases:
        setting = FormulaSetting(16, widths, rows, columns)
        assert formula.total(setting) == project_bytes(formula, setting)


@pytest.mark.parametrize("name", PLANS)
def test_as_printed_they_are_where_they_are_right(name):
    setting = FormulaSetting(16, WIDTHS[2], 4, 2)
    formula = FORMULAE[name]
    assert (formula.total(setting, printed=True) == project_bytes(formula, setting)) is formula.is_right


def test_the_page_has_every_formula():
    page = (Path(__file__).parents[3] / "docs" / "formulae.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(FORMULAE)


def test_what_is_wrong_is_said():
    assert {name for name, one in FORMULAE.items() if not one.is_right} == WRONG
    assert all(bool(one.why) is bool(one.as_corrected) is (not one.is_right) for one in FORMULAE.values())
    assert all(name == one.name for name, one in FORMULAE.items())


def test_a_grid_counts_the_error_of_the_input_where_the_instance_does():
    """With it the sums over layers begin at 1: three maps of what is read, and no output for the loss."""
    widths, setting = WIDTHS[2], FormulaSetting(16, WIDTHS[2], 4, 2)
    layers = [{"name": f"fc{i}", "linear": {"features": width}} for i, width in enumerate(widths[1:])]
    instance = Instance(
        {"input": [widths[0]], "layers": layers}, {"topology": "h-tree", "levels": 3}, 16,
        cost={"choices": ["dp", "mp", "op"], "accounting": "leaf-exact"},
    )  # fmt: skip
    moved = Evaluator(instance).bytes_of({layer["name"]: "doo" for layer in layers}).total
    first = 2 * setting.beta * 16 * widths[0] * (setting.rows - 1)
    assert moved == FORMULAE["integrated"].total(setting) + first


def test_printed_sums_of_model_parallelism_by_hand():
    """d = (6, 4, 2), B = 4, P = 2, 4 bytes: all-gathers of 4 and 2, an all-reduce of 2 as printed and 4 as meant."""
    setting = FormulaSetting(4, (6, 4, 2), rows=2)
    values = {name: FORMULAE[name].printed(setting) for name in PLANS}
    assert values["model-forward"] == Fraction(4 * 4 * (4 + 2), 2) == 48
    assert values["model-inputs"] == 2 * Fraction(4 * 4 * 2, 2) == 32
    assert FORMULAE["model-inputs"].corrected(setting) == 2 * Fraction(4 * 4 * 4, 2)
    assert values["model-parallel"] == 80
    assert values["data-parallel"] == 2 * Fraction(4 * (24 + 8), 2) == 128
    assert values["data-beside-model"] == Fraction(4 * (16 + 4), 2) == 40


def test_latencies_are_a_message_a_round():
    setting = FormulaSetting(4, (6, 4, 2), rows=2, columns=4, alpha=Fraction(1), beta=Fraction(0))
    found = {name: one.corrected(setting) for name, one in FORMULAE.items()}
    assert found["data-parallel"] == 2 * 2 * 7
    assert found["integrated"] == 1 + 2 * 1 + 2 * 2 * 2  # one map and its error by rows, two gradients by columns
    assert found["ring-time"] == found["ring-rounds"] == 14
    assert found["parameter-server-time"] == 14
    assert FORMULAE["parameter-server-time"].printed(setting) == 1
    assert found["double-binary-tree"] == 3


@pytest.mark.parametrize(("width", "printed"), [(768, False), (769, False), (1536, False), (1537, True)])
def test_model_parallelism_is_less_from_one_and_a_half_batches_on(width, printed):
    assert model_is_less(512, width) is (width > 768)
    assert model_is_less(512, width, printed=True) is printed


def test_a_window_of_one_has_no_halo():
    one, three = (
        FormulaSetting(2, (), rows=4, alpha=Fraction(1), convolutions=(Convolved(8, 3, 8, 5, kernel),) * 2)
        for kernel in (1, 3)
    )
    gradients = [2 * (2 * 2 + setting.part(setting.parameters)) for setting in (one, three)]
    domain = FORMULAE["domain"]
    assert domain.corrected(one) == gradients[0]
    assert domain.printed(one) == gradients[0] + 2 * (2 + Fraction(4 * 2 * 8 * (3 + 5), 2))
    assert domain.corrected(three) == gradients[1] + 2 * (1 + Fraction(4 * 2 * 8 * 3 * 2 * 3, 4))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("kernels", "parts"), [((1, 3, 1), 2), ((3, 3, 5), 4), ((5, 7, 3), 2)])
def test_a_plan_of_operators_along_height_moves_what_the_formula_says(kernels, parts):
    layers = [{"name": f"c{i}", "conv": {"filters": 4, "kernel": k, "pad": k // 2}} for i, k in enumerate(kernels)]
    instance = OperatorInstance.from_dict({
        "schema": "hypar-opt/instance/1", "name": "spatial", "batch": 2, "cost": {},
        "network": {"input": [4, 16, 8], "layers": layers}, "array": {"axes": [{"name": "x", "size": parts}]},
        "fix": {layer["name"]: "height" for layer in layers},
    })  # fmt: skip
    chain = tuple(Convolved(8, 4, 8, 4, kernel) for kernel in kernels)
    assert solve(instance).objective == FORMULAE["domain"].total(FormulaSetting(2, (), parts, convolutions=chain))


@pytest.mark.parametrize(("kernel", "parts"), [(1, 4), (3, 2), (3, 4), (5, 4), (7, 2)])
def test_halos_of_operators_are_both_sides_of_every_cut(kernel, parts):
    windows = {"row": operators.Window(32, kernel=kernel, before=kernel // 2)}
    operand = operators.Operand("map", ("batch", "row", "column", "channel"), windows)
    found = halo(operators.Tensor("map", (2, 32, 8, 3)), operand, ("row",), (parts,))
    setting = FormulaSetting(2, (), rows=parts)
    assert sum(found.values()) == halo_bytes(setting, Convolved(8, 3, 8, 5, kernel))


def test_formulae_without_a_plan_say_so():
    with pytest.raises(InputError, match="no plan of layers has what 'ring-rounds' says: steps of the algorithm ring"):
        project_bytes(FORMULAE["ring-rounds"], FormulaSetting(4, (6, 4), rows=2))
    with pytest.raises(InputError, match="expected powers of two, got 3 x 1 processes"):
        project_bytes(FORMULAE["ring"], FormulaSetting(4, (6, 4), rows=3))


def test_a_formula_that_lacks_a_factor_is_told_apart():
    setting, formula = FormulaSetting(16, WIDTHS[0], 4), FORMULAE["data-parallel"]
    halved = replace(formula, printed=lambda one: formula.printed(one) / 2)
    assert formula.total(setting) == project_bytes(formula, setting) == 2 * halved.total(setting)


def test_data_beside_model_is_as_its_texts_say():
    setting = FormulaSetting(batch=1, widths=(2, 3, 5), columns=4, alpha=Fraction(7), beta=Fraction(4))
    formula = FORMULAE["data-beside-model"]
    assert formula.printed(setting) == 4 * Fraction(3, 4) * (3**2 + 5**2)
    assert formula.corrected(setting) == 2 * 4 * Fraction(3, 4) * (2 * 3 + 3 * 5)
