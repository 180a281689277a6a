"""What a plan of the project moves where a formula says something: the same layers, letters for the grid."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from hypar_opt.evaluation.communication import LEAF_EXACT
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.instance import Instance
from hypar_opt.studies.formulae.formula import Formula, FormulaSetting
from hypar_opt.util.errors import InputError


def project_bytes(formula: Formula, setting: FormulaSetting) -> Fraction:
    """Return the bytes of the plan that a formula is compared with, leaf by leaf.

    The error of the network's input is left out, as it trains nothing.

    Parameters
    ----------
    setting
        Of linear layers alone; beta is the bytes of an element.

    Raises
    ------
    InputError
        If there is no such plan, or the numbers of processes are no powers of two.
    """
    counterpart = formula.counterpart
    if counterpart is None:
        raise InputError(f"no plan of layers has what '{formula.name}' says: {formula.equals}")
    if setting.rows & (setting.rows - 1) or setting.columns & (setting.columns - 1):
        raise InputError(f"expected powers of two, got {setting.rows} x {setting.columns} processes")
    word = counterpart.word(setting)
    evaluator = _evaluator(setting.batch, setting.widths, setting.beta, len(word))
    found = evaluator.bytes_of({layer.name: word for layer in evaluator.work.layers}, LEAF_EXACT)
    return counterpart.part(found)


@lru_cache(maxsize=16)
def _evaluator(batch: int, widths: tuple[int, ...], beta: Fraction, levels: int) -> Evaluator:
    """Return linear layers on an array; the accounting is what takes any number of levels, and is not asked."""
    layers = [{"name": f"fc{i}", "linear": {"features": width}} for i, width in enumerate(widths[1:], 1)]
    instance = Instance(
        {"input": [widths[0]], "layers": layers},
        {"topology": "h-tree", "levels": levels},
        batch,
        name="formula",
        cost={"choices": ["dp", "op"], "bytes_per_element": int(beta), "input_error": False},
    )
    return Evaluator(instance)
