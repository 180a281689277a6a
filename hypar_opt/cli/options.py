"""Options that several commands share, and what they become."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hypar_opt.formulation.run import GIB, MOST_WORKERS
from hypar_opt.instance.overrides import OVERRIDES

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")
MOST_GIB = 2**20


def override_option(name: str, **instead: Any) -> Callable[[F], F]:
    """Return the option that replaces a field of the instance, or something close to that where `instead` says so."""
    one = replace(OVERRIDES[name], **instead)
    if one.kind == "truth":
        return click.option(f"{one.option}/--no-{one.option[2:]}", default=None, help=one.help)
    kind = click.Choice(one.choices) if one.kind == "choice" else int if one.kind == "integer" else str
    return click.option(one.option, type=kind, metavar=one.metavar, help=one.help)


_OVERRIDES = tuple(map(override_option, sorted(OVERRIDES, key=lambda name: OVERRIDES[name].rank)))
time_limit_option = click.option(
    "--time-limit", type=float, metavar="S", callback=lambda _c, _p, v: _seconds(v), help="Seconds, decimal."
)
_LIMITS = (
    time_limit_option,
    click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, metavar="N"),
    click.option("--workers", type=click.IntRange(1, MOST_WORKERS), default=2, show_default=True, metavar="N"),
    click.option(
        "--memory-limit", type=float, default=2.0, show_default=True, metavar="GIB",
        callback=lambda _c, _p, v: _gibibytes(v), help="For the tables of joint-dp.",
    ),
)  # fmt: skip
_OUTPUT = (
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    click.option("--json-lines", is_flag=True, help="Print events, then the result, as JSON lines."),
    click.option("--quiet", "-q", is_flag=True, help="Print the result only."),
)


@dataclass(frozen=True)
class Wanted:
    """What the user asked to see."""

    as_json: bool
    json_lines: bool
    quiet: bool

    def __post_init__(self) -> None:
        if self.as_json and self.json_lines:
            raise click.UsageError("--json and --json-lines are two ways to print the result; choose one")

    @property
    def machine(self) -> bool:
        """Whether the result goes to a machine."""
        return self.as_json or self.json_lines


def _apply(options: tuple[Callable[[F], F], ...]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


override_options = _apply(_OVERRIDES)
limit_options = _apply(_LIMITS)
output_options = _apply(_OUTPUT)


def _seconds(value: float | None) -> float | None:
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise click.BadParameter("expected a positive number of seconds")
    return value


def _gibibytes(value: float) -> float:
    if not (1 <= value * GIB <= MOST_GIB * GIB):
        raise click.BadParameter(f"expected a positive number of GiB, at least a byte and at most {MOST_GIB}")
    return value


def process_age_s() -> float:
    """Return the seconds this process has used already: what a limit from process start includes.

    Start-up is bound by the processor, so its CPU time stands for the wall time before the first line.
    """
    return time.process_time()
