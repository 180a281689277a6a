"""The installed formulations: found by their entry points, chosen by what they say of themselves."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, cast

from hypar_opt.formulation.protocol import LAST, Capabilities, Formulation, Graph, Use
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.util.errors import InputError, Refusal, did_you_mean
from hypar_opt.util.extras import FORMULATIONS, missing
from hypar_opt.util.plug_ins import load_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.solution import Decides


@cache
def found() -> Mapping[str, EntryPoint]:
    """Return the installed formulations by name, not loaded yet."""
    return {point.name: point for point in sorted(entry_points(group=FORMULATIONS), key=lambda point: point.name)}


def load_formulation(name: str) -> Formulation:
    """Import and return a formulation.

    Raises
    ------
    InputError
        If there is none of that name; the nearest name is in the message.
    Refusal
        If it is installed and cannot be imported, or is none.
    """
    points = found()
    if name not in points:
        raise InputError(
            f"no formulation is called '{name}'; there are {', '.join(points)}{did_you_mean(name, points)}"
        )
    return cast("Formulation", load_record(points[name], _is_formulation, "formulation"))


def _is_formulation(found: object) -> bool:
    return isinstance(found, Formulation) and isinstance(found.capabilities, Capabilities)


def abilities(name: str) -> Capabilities | None:
    """Return what a formulation can do; None where there is none of that name, or it cannot be imported."""
    try:
        return load_formulation(name).capabilities
    except (InputError, Refusal):
        return None


def refusal(formulation: Formulation, graph: Graph, run: Run) -> str | None:
    """Return why a formulation does not accept a graph, or None; one that fails when asked does not."""
    lacking = missing(formulation.capabilities.packages)
    if lacking is not None:
        return f"it needs {lacking}"
    needs: Mapping[str, str] = getattr(graph, "needs", {})  # of graphs with costs that not every formulation reads
    unread = next((why for field, why in needs.items() if not getattr(formulation.capabilities, field)), None)
    if unread is not None:
        return unread
    try:
        return formulation.accepts(graph, run)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a third party's code may raise anything
        return f"it fails when asked: {type(error).__name__}: {error}"


def require(formulation: Formulation, graph: Graph, run: Run) -> None:
    """Raise `Refusal` where a formulation's capabilities, or its size limits, do not cover a graph."""
    able, name = formulation.capabilities, formulation.name
    if able.decides == "strategies":
        _require_strategies(able, name, cast("CostGraph", graph))
    reason = refusal(formulation, graph, run)
    if reason is not None:
        raise Refusal(f"{name} declines: {reason}")


def _require_strategies(able: Capabilities, name: str, graph: CostGraph) -> None:
    has_splits = any(variable.splits for variable in graph.variables)
    if able.needs_splits and not has_splits:
        raise Refusal(f"{name} is for operators, whose choices are named dimensions; try data-parallel or joint-dp")
    has_words = all(variable.words is not None for variable in graph.variables)
    if able.needs_words and not (has_words or (able.reads_splits and has_splits)):
        raise Refusal(f"{name} works level by level and this problem's choices have no levels; try cp-sat")
    if able.needs_tables and graph.ceiling is None:
        raise Refusal(f"{name} is for strategy graphs; try joint-dp or cp-sat")
    if able.chains_only and not graph.is_chain:
        raise Refusal(f"{name} is for chains and this network has joins or branches; try joint-dp or cp-sat")
    if not _takes_capacities(able, graph):
        raise Refusal(f"{name} takes no capacity constraints; try joint-dp, cp-sat or milp-highs")


def _takes_capacities(able: Capabilities, graph: object) -> bool:
    """Return whether a formulation knows all that a graph of any kind may not exceed."""
    if getattr(graph, "is_coupled", False):
        return able.pairwise_capacities
    return able.capacities or not getattr(graph, "capacities", ())


def formulations() -> dict[str, Capabilities]:
    """Return what every formulation that can be loaded can do, by name, in the order of their ranks."""
    known = {name: able for name in found() if (able := abilities(name)) is not None}
    return dict(sorted(known.items(), key=lambda one: one[1].rank))


def defaults(use: Use) -> list[str]:
    """Return what is tried for a use where no formulation is named, the first that accepts being taken."""
    places = {name: able.default_for[use] for name, able in formulations().items() if use in able.default_for}
    return sorted(places, key=lambda name: places[name])


def certifiers() -> list[str]:
    """Return who hands over proofs of networks' problems, by rank."""
    return [name for name, able in formulations().items() if able.certifies]


def vouchers(use: Use) -> list[str]:
    """Return who is asked for evidence of another's claim: those that say so in their order, then all that are exact.

    Whoever certifies a network's optimum is not asked for its word: a certificate says more.
    """
    places = {name: _place(able, use) for name, able in formulations().items()}
    return sorted((name for name, place in places.items() if place is not None), key=lambda name: places[name] or 0)


def _place(able: Capabilities, use: Use) -> int | None:
    if able.vouches_for is not None:
        return able.vouches_for.get(use)
    suits = able.exact and not able.certifies and able.decides == _decided(use) and use != "front"
    return LAST if suits else None


def _decided(use: Use) -> Decides:
    needs: dict[Use, Decides] = {
        "network": "strategies",
        "strategy-graph": "strategies",
        "placement": "placement",
        "pipeline": "stages",
        "schedule": "schedule",
        "staged": "submeshes",
        "collective": "sends",
        "task-graph": "begins",
    }
    return needs.get(use, "both")


def constructions(use: Use) -> list[str]:
    """Return who finds plans for a use without searching all of them, by rank."""
    decided = _decided(use)
    return [name for name, able in formulations().items() if not able.exact and able.decides == decided]


def rank_of(name: str) -> int:
    """Return a formulation's place in tables; the last one for a name that none has."""
    able = abilities(name)
    return LAST if able is None else able.rank


def choose(use: Use, graph: Graph, limits: Limits, advice: str = "a higher --memory-limit, or hypar-dp") -> Formulation:
    """Return the first default for a use that takes a graph.

    Parameters
    ----------
    use
        What the formulation is needed for.
    graph
        What it would read.
    limits
        Within which it would.
    advice
        What else would help, for the refusal.

    Raises
    ------
    Refusal
        If none takes it; has everyone's reason.
    """
    reasons = []
    for name in defaults(use):
        formulation = load_formulation(name)
        if not _takes_capacities(formulation.capabilities, graph):
            continue
        reason = refusal(formulation, graph, Run(name, limits))
        if reason is None:
            return formulation
        reasons.append(f"{name}: {reason.split('; try ')[0]}")  # what it would try instead declines as well
    if not reasons:
        raise Refusal(f"no default for a problem of the kind '{use}' can be loaded{_unloadable()}")
    who = "both" if len(reasons) == 2 else "all"
    raise Refusal(f"{who} defaults decline. {'; '.join(reasons)}. Try fewer levels, or {advice}")


def _unloadable() -> str:
    """Return which formulations are installed and cannot be imported, and why, after a colon."""
    reasons = []
    for name in found():
        try:
            load_formulation(name)
        except Refusal as refused:
            reasons.append(str(refused))
    return ": " + "; ".join(reasons) if reasons else ""
