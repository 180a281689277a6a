"""What can be typed for a parameter. A shell waits for the answer: names are listed, nothing is read or solved."""

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
        given = before.split(",")
        found = [name for name in names() if name.startswith(last) and name not in given]
        items: list[CompletionItem] = [CompletionItem(f"{before}{comma}{name}") for name in found]
        return [*items, CompletionItem(typed, type="file")] if files and not comma else items

    return complete


def _instances() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_instances

    return sorted(shipped_instances())


def _graphs() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_graphs

    return shipped_graphs()


def _arrays() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_arrays

    return shipped_arrays()


def _claims() -> Iterable[str]:
    from hypar_opt.instance.shipped import shipped_folder

    return sorted(file.stem for file in (shipped_folder() / "claims").glob("*.yaml"))


def _formulations() -> Iterable[str]:
    from hypar_opt.formulation.registry import found

    return found()


def _components() -> Iterable[str]:
    from hypar_opt.instance.objective.components import COMPONENTS

    return COMPONENTS


def _accountings() -> Iterable[str]:
    from hypar_opt.instance.accountings import ACCOUNTINGS

    return ACCOUNTINGS


def _commands() -> Iterable[str]:
    from hypar_opt.cli.group import SUMMARIES

    return SUMMARIES


instances = completer(_instances, files=True)
problems = completer(lambda: [*_instances(), *_graphs()], files=True)
"""Instances and strategy graphs."""
arrays = completer(_arrays, files=True)
many_arrays = completer(_arrays, files=True, several=True)
shown_arrays = completer(lambda: [*_arrays(), *_instances()], files=True)
"""Arrays, and instances for theirs."""
claims = completer(_claims, files=True)
formulation = completer(_formulations)
formulations = completer(_formulations, several=True)
objective = completer(_components)
components = completer(_components, several=True)
accounting = completer(_accountings)
commands = completer(_commands)
