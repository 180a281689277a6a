"""What can be typed for a parameter of names. A shell waits for the answer: they are listed, nothing is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from click import Context, Parameter
    from click.shell_completion import CompletionItem

    Completer: TypeAlias = Callable[[Context, Parameter, str], list[CompletionItem]]
    """As a parameter's `shell_complete`: from what was typed of a word to what it can become."""


def completer(names: Callable[[], Iterable[str]], *, files: bool = False, several: bool = False) -> Completer:
    """Return what completes a parameter.

    Parameters
    ----------
    names
        Returns those that there are; called only when a shell asks.
    files
        Whether a file is taken as well.
    several
        Whether names are given behind each other with commas between; each once.
    """

    def complete(_: Context, __: Parameter, typed: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        before, comma, last = typed.rpartition(",") if several else ("", "", typed)
        given = [one.partition("=")[0] for one in before.split(",")]
        found = [name for name in names() if name.startswith(last) and name not in given]
        items: list[CompletionItem] = [CompletionItem(f"{before}{comma}{name}") for name in found]
        return [*items, CompletionItem(typed, type="file")] if files and not comma else items

    return complete


def _instances() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_instances, shipped_operators

    return sorted(shipped_instances() | shipped_operators())


def _of_halves() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_instances

    return sorted(shipped_instances())


def _graphs() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_graphs

    return shipped_graphs()


def _pipelines() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_pipelines

    return shipped_pipelines()


def _task_graphs() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_task_graphs

    return shipped_task_graphs()


def _collectives() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_collectives

    return shipped_collectives()


def _arrays() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_arrays, shipped_axes

    return shipped_arrays() | shipped_axes()


def _claims() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_folder

    return sorted(file.stem for file in (shipped_folder() / "claims").glob("*.yaml"))


def _formulations() -> Iterable[str]:
    from hypar_opt.formulation.registry import found

    return found()


def _algorithms() -> Iterable[str]:
    from hypar_opt.instance.collectives_spec import BEST, PAIRWISE
    from hypar_opt.solver.sum_schedules import constructors

    return (PAIRWISE, BEST, *constructors())


def _components() -> Iterable[str]:
    from hypar_opt.instance.objective.components import COMPONENTS

    return COMPONENTS


def _bounds() -> Iterable[str]:
    return [f"{name}=" for name in _components()]


def _kinds() -> Iterable[str]:
    from hypar_opt.instance.objective.function import PUT_TOGETHER

    return [f"{kind}:" for kind in PUT_TOGETHER]


def _accountings() -> Iterable[str]:
    from hypar_opt.instance.accountings import ACCOUNTINGS

    return ACCOUNTINGS


def _commands() -> Iterable[str]:
    from hypar_opt.cli.group import SUMMARIES

    return SUMMARIES


instances = completer(_instances, files=True)
simulated = completer(lambda: [*_of_halves(), *_collectives()], files=True)
"""Instances whose layers are split in halves, and collectives."""
of_halves = completer(_of_halves, files=True)
"""Instances whose layers are split in halves."""
problems = completer(lambda: [*_instances(), *_pipelines(), *_collectives(), *_task_graphs(), *_graphs()], files=True)
"""Instances, pipelines, collectives, task graphs and strategy graphs."""
arrays = completer(_arrays, files=True)
many_algorithms = completer(_algorithms, several=True)
many_arrays = completer(_arrays, files=True, several=True)
_planned = (_instances, _pipelines, _collectives, _task_graphs)
shown_arrays = completer(lambda: [*_arrays(), *(name for names in _planned for name in names())], files=True)
"""Arrays, instances for theirs, pipelines, collectives and task graphs."""
exported = completer(lambda: [name for names in _planned for name in names()], files=True)
"""Instances, pipelines, collectives and task graphs."""
compared = completer(lambda: [name for names in _planned for name in names()], files=True)
"""Whatever has plans that are compared."""
claims = completer(_claims, files=True)
formulation = completer(_formulations)
formulations = completer(_formulations, several=True)
components = completer(_components, several=True)
bounds = completer(_bounds)
one_objective = completer(lambda: [*_components(), *_kinds()], several=True)
accounting = completer(_accountings)
commands = completer(_commands)


def objective(context: Context, parameter: Parameter, typed: str) -> list[CompletionItem]:
    """Return components, behind what puts them together, as in `product:time,energy`, and behind commas."""
    from click.shell_completion import CompletionItem

    kind, colon, listed = typed.partition(":")
    if not colon:
        return one_objective(context, parameter, typed)
    return [CompletionItem(f"{kind}:{item.value}") for item in components(context, parameter, listed)]
