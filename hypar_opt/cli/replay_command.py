"""hypar-opt replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import IntegerRange, limit_options, output_options, override_options
from hypar_opt.cli.progress import showing
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.cli.options import Wanted
    from hypar_opt.formulation.run import Limits

EPILOG = epilog(
    "hypar-opt replay norms.csv digits.yaml --threshold 0.002 --interval 25",
    "hypar-opt replay norms.csv digits.yaml --threshold 0.002 --interval 25 --in-a-row --json",
    codes={0: "replayed", 2: "bad input, such as a trace with gaps"},
)


def _number(_: click.Context, param: click.Parameter, text: str) -> Fraction:
    from decimal import InvalidOperation
    from fractions import Fraction

    from hypar_opt.instance.exact import decimal
    from hypar_opt.instance.text import shown

    try:
        return Fraction(decimal(text))
    except (InvalidOperation, ValueError):
        raise InputError(f"expected a number, got {shown(text)}", field=f"--{param.name}") from None


@click.command("replay", epilog=EPILOG)
@click.argument("trace", type=click.Path(path_type=Path), metavar="NORMS.csv")
@click.argument("instance", shell_complete=words.of_halves)
@click.option(
    "--threshold", required=True, callback=_number, metavar="T", help="A relative change of a norm below it counts."
)
@click.option("--interval", required=True, type=IntegerRange(1), metavar="N", help="So many raise a layer's bits.")
@click.option("--step", type=IntegerRange(1), default=8, show_default=True, metavar="BITS", help="By so many bits.")
@click.option("--start", type=IntegerRange(1), default=8, show_default=True, metavar="BITS", help="Of every layer.")
@click.option("--in-a-row", is_flag=True, help="Count batches in a row only: a larger change begins anew.")
@override_options
@limit_options
@output_options
def command(
    trace: Path,
    instance: str,
    threshold: Fraction,
    interval: int,
    step: int,
    start: int,
    in_a_row: bool,
    limits: Limits,
    wanted: Wanted,
    **overrides: Any,
) -> None:
    """Replay AWP's rule for the bits of layers on a trace of norms, and find the best bits that never change.

    NORMS.csv has the columns batch (from 0, without gaps), layer and norm. Behind every batch a layer whose norm has
    changed, relative to what it was, by less than T is counted; counted N times its bits are raised.

    INSTANCE has the errors of bits by layer (`precision`). The rule sends by the best strategies where all is sent in
    full. Beside its mean bytes and error stand the best static bits at no more error, of the same strategies and of
    any, and the least that any plans could send that take turns.
    """
    from hypar_opt.instance import load_instance
    from hypar_opt.report.precision.replay import replay_document, show_replay
    from hypar_opt.solver.precision_problem import PrecisionProblem
    from hypar_opt.studies.precision import NormRule, beside_static, read_norms

    read = load_instance(instance, **overrides)
    if read.precision is None:
        message = "missing, and replaying needs it: errors of layers by bits"
        raise InputError(message, file=read.source, field="precision")
    rule = NormRule(threshold, interval, step, start, in_a_row)
    with showing(f"replaying {trace}", wanted):
        found = beside_static(PrecisionProblem(read), read_norms(trace), rule, limits)
    show_result(wanted, replay_document, show_replay, found)
