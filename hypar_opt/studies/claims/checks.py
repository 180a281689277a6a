"""Checks of what a statement names, against the instance, the formulations and the other claims there are."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.instance.build import word_fault
from hypar_opt.instance.choices import letters_of
from hypar_opt.instance.network import workload
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.studies.claims.judge_times import on_array
from hypar_opt.studies.claims.plan_statements import PlanCollectives, PlanRatio
from hypar_opt.studies.claims.statement_parts import Numeric
from hypar_opt.studies.claims.statements import MeanOf, Peak, Slower
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance import Instance
    from hypar_opt.instance.formats import Document
    from hypar_opt.studies.claims.claims import PublishedClaim


@dataclass(frozen=True)
class Located:
    """A part of a file.

    Parameters
    ----------
    document
        The file.
    path
        Of the part.
    """

    document: Document
    path: FieldPath

    def error(self, message: str, path: FieldPath = (), *, of_key: bool = False) -> InputError:
        """Return the error with the file, line and field of a value inside the part."""
        return self.document.error(message, (*self.path, *path), of_key=of_key)


def parts_of(claim: PublishedClaim, known: Mapping[str, PublishedClaim], place: Located) -> tuple[PublishedClaim, ...]:
    """Return the other claims that a claim is about, of those that are known by their ids.

    Raises
    ------
    InputError
        If there is no such claim, it comes twice, or it prints no number of its own.
    """
    names = claim.statement.claims if isinstance(claim.statement, MeanOf) else ()
    for k, name in enumerate(names):
        at = ("claims", k)
        if name not in known:
            raise place.error(f"no claim is called {shown(name)}{did_you_mean(name, known)}", at)
        if name in names[:k]:
            raise place.error(f"{shown(name)} comes twice", at)
        part = known[name].statement
        if isinstance(part, MeanOf) or not isinstance(part, Numeric):
            raise place.error(f"{shown(name)} prints no number of one plan, but states '{known[name].kind}'", at)
    return tuple(known[name] for name in names)


MOST_EXPLORED = 1 << 16
"""Plans of one claim."""


def check_explored(claim: PublishedClaim, statement: Peak, place: Located) -> None:
    """Check the layers and levels that are explored, and how many plans that makes.

    Raises
    ------
    InputError
        If one is not there or comes twice, or there are too many plans.
    """
    instance = claim.cases[0].instance
    known = instance.network.decision_names
    _check_once("layers", statement.layers or (), place)
    _check_once("levels", statement.levels or (), place)
    for i, layer in enumerate(statement.layers or ()):
        if layer not in known:
            hint = did_you_mean(layer, known)
            raise place.error(f"{shown(layer)} is no layer of {instance.name} that has a strategy{hint}", ("layers", i))
    for i, level in enumerate(statement.levels or ()):
        if not 1 <= level <= instance.levels:
            raise place.error(f"expected a level from 1, the root, to {instance.levels}, got {level}", ("levels", i))
    levels = instance.levels if statement.levels is None else len(statement.levels)
    work = (layer for layer in workload(instance.network).layers if layer.name in (statement.layers or known))
    size = prod(len(letters_of(layer, instance.choices)) ** levels for layer in work)
    if size > MOST_EXPLORED:
        count = f"2^{size.bit_length() - 1} plans or more" if size >= 1 << 30 else f"{size:,} plans"
        raise place.error(f"explores {count}, at most {MOST_EXPLORED:,} are; name fewer layers or levels")


def _check_once(field: str, names: Sequence[object], place: Located) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise place.error(f"{shown(name)} comes twice", (field, i))


def check_statement(claim: PublishedClaim, place: Located) -> None:
    """Check the formulations, the layers and the words that a statement names.

    Parameters
    ----------
    claim
        To check.
    place
        Of the statement in its file.

    Raises
    ------
    InputError
        At the first that is not there, or does not fit.
    """
    statement = claim.statement
    for field in ("formulation", "over"):
        name = getattr(statement, field, None)
        if isinstance(name, str):
            _check_formulation(name, (field,), place)
    if isinstance(statement, Slower):
        _check_arrays(claim, statement, place)
    if isinstance(statement, Peak):
        check_explored(claim, statement, place)
    if isinstance(statement, PlanRatio | PlanCollectives):
        _check_plans(claim, statement, place)
        return
    words = getattr(statement, "strategies", None)
    others = getattr(statement, "others", None)
    for case in claim.subjects:
        _check_words(words or {}, others, case.instance, place)
        partial = claim.kind in ("plan", "peak") or (words is None and others is None)
        if not partial and others is None:
            _check_all_there(words or {}, case.instance, place)


def _check_formulation(name: str, path: FieldPath, place: Located) -> None:
    try:
        load_formulation(name)
    except InputError as error:
        raise place.error(error.message, path) from None


def _check_plans(claim: PublishedClaim, statement: PlanRatio | PlanCollectives, place: Located) -> None:
    case = claim.cases[0]
    for field, plan in statement.plans.items():
        if plan.formulation is not None:
            _check_formulation(plan.formulation, (field, "formulation"), place)
        fault = plan.fault(case)
        if fault is not None:
            raise place.error(fault, (field,))
    names = case.instance.network.decision_names
    for i, layer in enumerate((statement.layers if isinstance(statement, PlanCollectives) else None) or ()):
        if layer not in names:
            hint = did_you_mean(layer, names)
            message = f"{shown(layer)} is no layer of {case.instance.name} that has a strategy{hint}"
            raise place.error(message, ("layers", i))


def _check_arrays(claim: PublishedClaim, statement: Slower, place: Located) -> None:
    for field, placement in (("array", statement.placement), ("than", "best")):
        for case in claim.cases:
            try:
                on_array(case, getattr(statement, f"{field}_json"), placement)
            except InputError as error:
                fault = str(error.field or "").removeprefix("--array").removeprefix("--placement").strip()
                raise place.error(": ".join(filter(None, [fault, error.message])), (field,)) from None


def _check_words(words: dict[str, str], others: str | None, instance: Instance, place: Located) -> None:
    decided = {layer.name: layer for layer in workload(instance.network).layers}
    for layer, word in words.items():
        if layer not in decided:
            raise _unknown(layer, instance, place)
        problem = word_fault(word, instance.spec, decided[layer])
        if problem:
            raise place.error(problem, ("strategies", layer))
    for layer in decided if others is not None else ():
        problem = None if layer in words else word_fault(others or "", instance.spec, decided[layer])
        if problem:
            raise place.error(problem, ("others",))


def _unknown(layer: str, instance: Instance, place: Located) -> InputError:
    there = any(one.name == layer for one in instance.network.layers)
    what = "has no weights and joins nothing, so no plan has it" if there else f"is no layer of {instance.name}"
    hint = did_you_mean(layer, instance.network.decision_names)
    return place.error(f"{shown(layer)} {what}{hint}", ("strategies", layer), of_key=True)


def _check_all_there(words: dict[str, str], instance: Instance, place: Located) -> None:
    missing = next((layer for layer in instance.network.decision_names if layer not in words), None)
    if missing is not None:
        message = f"no strategy for layer {shown(missing)}; list it, or give a word for all others"
        raise place.error(message, ("strategies",))
