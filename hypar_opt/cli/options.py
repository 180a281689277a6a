"""Options that several commands share, and what they become."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hypar_opt.accountings import ACCOUNTINGS
from hypar_opt.run import GIB, MOST_WORKERS

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")
MOST_GIB = 2**20

_OVERRIDES = (
    click.option("--accounting", type=click.Choice(tuple(ACCOUNTINGS)), help="What boundaries are charged."),
    click.option("--batch", type=int, metavar="N", help="Samples of one training step."),
    click.option("--levels", type=int, metavar="H", help="Levels of the array: 2^H accelerators."),
    click.option("--array", metavar="ARRAY", help="Another array: a file, or a shipped one (hypar-opt list arrays)."),
    click.option("--placement", type=click.Choice(["free", "identity"]), help="Is it to be decided, or in order?"),
    click.option("--input-error/--no-input-error", default=None, help="Is the error of the network's input charged?"),
    click.option("--objective", metavar="WEIGHTS", help="For example time, hop-bytes=1,time=0.5, product:time,energy."),
    click.option("--splits", type=click.Choice(["any", "divisible"]), help="Of any size, or of what divides?"),
)
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
