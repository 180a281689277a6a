"""Options that several commands share, and what they become."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.fixed import given_words
from hypar_opt.cli.inputs import check_apart
from hypar_opt.formulation.run import GIB, MOST_WORKERS, Limits
from hypar_opt.instance.exact import INTEGER, decimal
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.files import check_writable, prepare_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.report.charts.registry import Need
    from hypar_opt.report.tables import TableFormat

F = TypeVar("F", bound="Callable[..., Any]")
MOST_GIB = 2**20
FORMS: Final[Mapping[str, Literal["png", "svg"]]] = {".png": "png", ".svg": "svg"}
"""Of pictures, by the end of their names."""
COMPLETERS: Final = MappingProxyType(
    {"array": words.arrays, "objective": words.objective, "bounds": words.bounds, "fix": files.fixed}
)
"""By the kind of an override that is text, what shells complete it with."""
WANTED: Final = "hypar_opt.wanted"
"""Where a command leaves what the user asked to see, for who reports its errors."""
DRAWN_OR_SET: Final = (".csv", ".md", ".pdf", ".png", ".svg", ".tex")
"""Ends of names of pictures and tables, which nothing that is JSON should have."""
ENDINGS: Final = (".json", ".json.gz")
"""Of strategy graphs."""


class Integer(click.types.IntParamType):
    """An integer as files have them: `1_000`, `010` and digits of other scripts are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the integer, or refuse as click does."""
        if isinstance(value, str) and not INTEGER.fullmatch(value.strip()):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return super().convert(value, param, ctx)


class IntegerRange(click.IntRange, Integer):
    """The same between two limits."""


def override_option(name: str, **instead: Any) -> Callable[[F], F]:
    """Return the option that replaces a field of the instance, or something close to that where `instead` says so."""
    one = replace(OVERRIDES[name], **instead)
    if one.kind == "truth":
        return click.option(f"{one.option}/--no-{one.option[2:]}", default=None, help=one.help)
    kind = click.Choice(one.choices) if one.kind == "choice" else Integer() if one.kind == "integer" else str
    several = SEVERAL.get(one.kind)
    return click.option(
        one.option,
        type=kind,
        metavar=one.metavar,
        help=one.help,
        multiple=several is not None,
        callback=several,
        shell_complete=COMPLETERS.get(one.kind),
    )


def _joined(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> str | None:
    return ",".join(values) if values else None


SEVERAL: Final = MappingProxyType({"bounds": _joined, "fix": given_words})
"""By the kind of an override that may be given more than once, what is made of all."""


def path_option(*names: str, metavar: str, **others: Any) -> Callable[[F], F]:
    """Return an option that takes a path."""
    return click.option(*names, type=click.Path(path_type=Path), metavar=metavar, **others)


def _seconds(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise click.BadParameter("expected a positive number of seconds")
    return value


def above_0(what: str = "a number") -> Callable[[click.Context, click.Parameter, str | None], Decimal | None]:
    """Return a callback that reads an exact amount above 0.

    Parameters
    ----------
    what
        What is expected, for the error.
    """

    def read(_: click.Context, __: click.Parameter, value: str | None) -> Decimal | None:
        if value is None:
            return None
        try:
            found = decimal(value.strip())
        except (InvalidOperation, ValueError):
            found = Decimal(0)
        if found <= 0:
            raise click.BadParameter(f"expected {what} above 0, as in 1e9, got '{value}'")
        return found

    return read


def _gibibytes(_: click.Context, __: click.Parameter, value: float) -> float:
    if not (1 <= value * GIB <= MOST_GIB * GIB):
        raise click.BadParameter(f"expected a positive number of GiB, at least a byte and at most {MOST_GIB}")
    return value


def process_age_s() -> float:
    """Return the seconds this process has used already: what a limit from process start includes.

    Start-up is bound by the processor, so its CPU time stands for the wall time before the first line.
    """
    return time.process_time()


def deadline_of(time_limit: float | None) -> float | None:
    """Return when the time for all that a command does is over, on the clock of `time.monotonic`."""
    return None if time_limit is None else time.monotonic() - process_age_s() + time_limit


@dataclass(frozen=True)
class Wanted:
    """What the user asked to see."""

    as_json: bool
    json_lines: bool
    quiet: bool
    all_errors: bool = False

    def __post_init__(self) -> None:
        if self.as_json and self.json_lines:
            raise click.UsageError("--json and --json-lines are two ways to print the result; choose one")

    @property
    def machine(self) -> bool:
        """Whether the result goes to a machine."""
        return self.as_json or self.json_lines

    def tell_of(self, paths: Sequence[Path], what: str = "written") -> None:
        """Say which files were written, or what else was done to them, to people who want to know."""
        if paths and not (self.machine or self.quiet):
            click.echo(f"{what}: {', '.join(map(str, paths))}")


@dataclass(frozen=True)
class Place:
    """Where the user wants files.

    Parameters
    ----------
    folder
        None for nowhere.
    figures
        Whether figures are wanted beside the tables.
    """

    folder: Path | None
    figures: bool = False

    def __post_init__(self) -> None:
        if self.figures and self.folder is None:
            raise click.UsageError("--figures are written beside the tables; say where with -o DIR")
        if self.figures:
            require("report")

    def prepare(self, names: Sequence[str], *read: str | Path | None) -> None:
        """Make the folder, and find out before the work whether files of these names can be written to it.

        Parameters
        ----------
        read
            What is read, as `check_apart` takes it: none of it is overwritten.
        """
        if self.folder is not None:
            check_apart({"--output": [self.folder / name for name in names]}, *read)
            prepare_folder(self.folder, names)

    def write(
        self, tables: Callable[[Path], Sequence[Path]], needs: Need | None = None, what: Any = None
    ) -> list[Path]:
        """Write the tables and, if they are wanted, all figures of what they show; return the paths."""
        if self.folder is None:
            return []
        written = list(tables(self.folder))
        if self.figures and needs is not None:
            from hypar_opt.report.charts.registry import write_figures

            written += write_figures(needs, what, self.folder)
        return written


def together(*options: Callable[[F], F], into: Callable[..., dict[str, Any]] = dict) -> Callable[[F], F]:
    """Return what adds options to a command.

    Parameters
    ----------
    into
        Turns what was given, by name, into the command's arguments.
    """

    def decorate(function: F) -> F:
        @wraps(function)
        def command(**given: Any) -> Any:
            return function(**into(**given))

        decorated = cast("F", command)
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _of_each(seed: int, workers: int, memory_limit: float, **others: Any) -> dict[str, Any]:
    return {**others, "limits": Limits(None, seed, workers, int(memory_limit * GIB))}


def _of_all(time_limit: float | None, seed: int, workers: int, memory_limit: float, **others: Any) -> dict[str, Any]:
    began, memory = time.monotonic() - process_age_s(), int(memory_limit * GIB)
    return {**others, "limits": Limits(deadline_of(time_limit), seed, workers, memory, began=began)}


def _place(output: Path | None, figures: bool = False, **others: Any) -> dict[str, Any]:
    return {**others, "place": Place(output, figures)}


def _wanted(as_json: bool, json_lines: bool, quiet: bool, all_errors: bool, **others: Any) -> dict[str, Any]:
    wanted = Wanted(as_json, json_lines, quiet, all_errors)
    click.get_current_context().meta[WANTED] = wanted
    return {**others, "wanted": wanted}


time_limit_option = click.option("--time-limit", type=float, metavar="S", callback=_seconds, help="Seconds, decimal.")
_LIMITS = (
    time_limit_option,
    click.option("--seed", type=IntegerRange(0, 2**31 - 1), default=0, show_default=True, metavar="N"),
    click.option("--workers", type=IntegerRange(1, MOST_WORKERS), default=2, show_default=True, metavar="N"),
    click.option(
        "--memory-limit", type=float, default=2.0, show_default=True, metavar="GIB",
        callback=_gibibytes, help="For the tables of joint-dp.",
    ),
)  # fmt: skip
_FOLDER = path_option("-o", "--output", metavar="DIR", help="Write CSV, Markdown, LaTeX, JSON.")
_FIGURES = click.option("--figures", is_flag=True, help="With -o: figures too, as SVG, PDF and PNG.")

override_options = together(*map(override_option, sorted(OVERRIDES, key=lambda name: OVERRIDES[name].rank)))
limit_options = together(*_LIMITS, into=_of_all)
"""Become `limits`, of all that the command does."""
solve_limit_options = together(*_LIMITS, into=_of_each)
"""Become `limits` without a deadline, beside `time_limit`, which is of each solve."""
folder_option = together(_FOLDER, into=_place)
"""Becomes `place`."""
folder_options = together(_FOLDER, _FIGURES, into=_place)
"""Become `place`."""
plain_folder_options = together(
    path_option("-o", "--output", metavar="DIR", help="Write CSV, Markdown, JSON."), _FIGURES, into=_place
)
"""The same of tables that are not written as LaTeX."""
output_options = together(
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    click.option("--json-lines", is_flag=True, help="Print events, then the result, as JSON lines."),
    click.option("--quiet", "-q", is_flag=True, help="Print the result only."),
    click.option("--all-errors", is_flag=True, help="Of a wrong file, say all errors, a line each."),
    into=_wanted,
)
"""Become `wanted`."""


def check_files(**paths: Path | None) -> None:
    """Find out before the work whether the files of options can be written after it, each in a place of its own.

    Raises
    ------
    InputError
        If one cannot.
    click.UsageError
        If two are the same.
    """
    taken: dict[Path, str] = {}
    for name, path in paths.items():
        if path is not None:
            other = taken.setdefault(check_writable(path), name)
            if other != name:
                raise click.UsageError(f"--{other} and --{name} name the same file")


def check_json(output: Path | None, instead: str) -> None:
    """Find out before the work whether a file that would be JSON is named as a table or a picture.

    Parameters
    ----------
    output
        Where it would be written, if anywhere.
    instead
        What writes tables and pictures.

    Raises
    ------
    InputError
        If it is.
    """
    if output is not None and output.suffix.lower() in DRAWN_OR_SET:
        said = f"is written as JSON, expected a name as plan.json, got '{output.name}'; {instead}"
        raise InputError(said, field="--output")


def check_graph_file(path: Path) -> None:
    """Find out before the work whether a strategy graph can be written to a file of this name.

    Raises
    ------
    InputError
        If it cannot.
    """
    if not path.name.endswith(ENDINGS):
        raise InputError(f"expected a name that ends in {' or '.join(ENDINGS)}, got '{path.name}'", field="--output")
    check_writable(path)


def form_of(path: Path, option: str, others: Sequence[str] = ()) -> Literal["png", "svg"]:
    """Return the form of a picture by the name of its file, which an option gave.

    Parameters
    ----------
    others
        Endings that the option takes as well.

    Raises
    ------
    InputError
        If it is none of the known ones.
    """
    form = FORMS.get(path.suffix.lower())
    if form is None:
        raise _no_ending(path, option, (*FORMS, *others))
    return form


def table_formats() -> dict[str, TableFormat]:
    """Return what tables are written as, by the ends of the files' names."""
    from hypar_opt.report.tables import formats

    return {one.suffix: one for one in formats().values() if one.suffix}


def table_format_of(path: Path, option: str) -> TableFormat:
    """Return what a table is written as by the name of its file, which an option gave.

    Raises
    ------
    InputError
        If it is none of the known ones.
    """
    known = table_formats()
    found = known.get(path.suffix.lower())
    if found is None:
        raise _no_ending(path, option, tuple(known))
    return found


def _no_ending(path: Path, option: str, endings: Sequence[str]) -> InputError:
    *some, last = endings
    return InputError(f"expected a name that ends in {', '.join(some)} or {last}, got '{path.name}'", field=option)
