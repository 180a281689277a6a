"""What can be typed of what stands in a file, a front or an instance; it is read only where that is quick."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click import Context, Parameter
    from click.shell_completion import CompletionItem

LARGEST: Final = 1_000_000
"""Bytes of a file that is read while somebody waits for a word: some thousand layers, or some hundred points."""


def fixed(context: Context, option: Parameter, typed: str) -> list[CompletionItem]:
    """Return the layers of the instance that stands before an option, each with the `=` that follows it; and plans.

    Behind the `:` of a plan's file these are the layers of the plan.
    """
    from click.shell_completion import CompletionItem

    file, colon, layer = typed.rpartition(":")
    if colon and _is_small(_file_of(file)):
        return [CompletionItem(f"{file}:{name}") for name in _decided(Path(file)) if name.startswith(layer)]
    # behind an option without its value click leaves what stands before it unparsed
    given = [context.params.get("instance"), *(context.params.get("instances") or ()), *context.args]
    layers = _layers(next(filter(None, reversed(given)), ""), context.params.get("recompute"))
    items: list[CompletionItem] = [CompletionItem(f"{name}=") for name in layers if name.startswith(typed)]
    return [*items, *plans(context, option, typed)]


def plans(_: Context, __: Parameter, typed: str) -> list[CompletionItem]:
    """Return files; behind the '#' of a front's its points, by number, each with what it costs."""
    from click.shell_completion import CompletionItem

    file, mark, number = typed.rpartition("#")
    if not mark or not _is_small(Path(file)):
        return [CompletionItem(typed, type="file")]
    points = ((str(at), costs) for at, costs in enumerate(_points(Path(file)), start=1))
    return [CompletionItem(f"{file}#{at}", help=costs) for at, costs in points if at.startswith(number)]


def _layers(instance: str, recompute: str | None) -> tuple[str, ...]:
    """Return the layers that a plan decides; none of an instance that is large, or that there is not.

    Of operators also the blocks, where it is decided which of them run once more: so in the instance, unless replaced.
    """
    from hypar_opt.instance import find_instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.instance.operators.repeated import RECOMPUTE, blocks_of
    from hypar_opt.instance.read import load_any_instance
    from hypar_opt.util.errors import HyparError

    try:
        path = find_instance(instance)
        if not _is_small(path):
            return ()
        one = load_any_instance(path)
    except HyparError:  # which the command says when it is run
        return ()
    if isinstance(one, OperatorInstance):
        blocks = blocks_of(one.graph) if (recompute or one.recompute) == "choose" else ()
        return (*(operator.name for operator in one.graph.operators), *(block.name + RECOMPUTE for block in blocks))
    return one.network.decision_names


def _file_of(plan: str) -> Path:
    """Return the file of a plan, or of a front of which one point is meant."""
    from hypar_opt.instance.shipped import is_there

    return Path(plan) if is_there(Path(plan)) else Path(plan.rpartition("#")[0])


def _decided(plan: Path) -> tuple[str, ...]:
    """Return the layers that a plan decides; none of a file that is no plan."""
    from hypar_opt.solver.plan_reader import read_start
    from hypar_opt.util.errors import HyparError

    try:
        return tuple(read_start(plan)[0])
    except HyparError:  # which the command says when it is run
        return ()


def _points(file: Path) -> Iterator[str]:
    """Yield what the points of a front cost; nothing of a file that is none."""
    from hypar_opt.report.numbers import in_component
    from hypar_opt.solver.plan_reader import read_front
    from hypar_opt.util.errors import HyparError

    try:
        front = read_front(file)
    except HyparError:  # which the command says when it is run
        return
    for point in front.points:
        costs = point.cost.by_component
        yield ", ".join(f"{name} {in_component(name, costs[name])}" for name in front.components)


def _is_small(path: Path) -> bool:
    from hypar_opt.instance.shipped import is_there

    return is_there(path) and path.is_file() and path.stat().st_size <= LARGEST
