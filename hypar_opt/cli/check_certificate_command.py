"""hypar-opt check-certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Wanted, output_options
from hypar_opt.cli.progress import showing
from hypar_opt.util.errors import printable
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.verification.certificate.check import Checked


EPILOG = epilog(
    "hypar-opt solve vgg-e --levels 16 --certificate plan.cert",
    "hypar-opt check-certificate plan.cert",
    codes={
        0: "the certificate proves what it claims: that its plan is optimal or, of a strategy graph, that none costs "
        "less than a bound",
        1: "it does not",
        2: "it is none, or damaged",
    },
)


@click.command("check-certificate", epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@output_options
def command(file: Path, wanted: Wanted) -> int:
    """Check a certificate of optimality, or of a bound, without any solver.

    FILE is what hypar-opt solve --certificate wrote. The checker is one file that needs NumPy only and can be run
    alone, with a folder for operators; it computes all costs anew from the layer sizes in the certificate, or from the
    operators or the strategy graph in it. That those are your instance's is what hypar-opt verify --certificate checks
    as well.
    """
    from hypar_opt.verification.certificate.header import check_file

    with showing(f"checking {file}", wanted):
        checked = check_file(file)
    document = _document(checked)
    if wanted.machine:
        echo_document(document, wanted)
    elif wanted.quiet:
        click.echo(document["verdict"])
    else:
        click.echo(printable(_text(checked)))
    return 0 if checked.proven else 1


def _document(checked: Checked) -> dict[str, object]:
    problem = checked.header["problem"]
    return {
        "verdict": "proven" if checked.proven else "not proven",
        "instance": problem["instance"],
        "instance_sha256": problem["instance_sha256"],
        "overrides": problem["overrides"],
        **{name: problem[name] for name in ("accounting", "batch", "levels") if name in problem},
        "bound": exact(checked.bound),
        "objective": exact(checked.cost),
        "optimal": checked.optimal,
        "rests_on": _rests_on(checked),
        "faults": list(checked.faults),
    }


def _rests_on(checked: Checked) -> str:
    """Return on whose word rests what is claimed beyond the bound; nothing where it is proven, or not claimed."""
    return "" if checked.optimal else str(checked.header["claim"].get("rests_on", ""))


def _text(checked: Checked) -> str:
    what = _what(checked.header["problem"])
    if not checked.proven:
        return f"not proven: {what}: " + "; ".join(
            checked.faults or (f"the bound is {_amount(checked, checked.bound)}",)
        )
    bound = f"proven: {what}: no plan is below {_amount(checked, checked.bound)}"
    if checked.optimal:
        return f"{bound}, and the plan in the file costs that"
    rests_on = _rests_on(checked)
    return f"{bound}; the plan in the file {_costs(checked)}{f'; beyond that {rests_on}' if rests_on else ''}"


def _what(problem: dict[str, Any]) -> str:
    if problem["kind"] == "strategy-graph":
        return str(problem["instance"])
    if problem["kind"] == "operators":
        axes = " x ".join(f"{axis['name']} ({axis['size']})" for axis in problem["axes"])
        return f"{problem['instance']}, batch {problem['batch']}, {axes}"
    return f"{problem['instance']}, batch {problem['batch']}, H = {problem['levels']}, {problem['accounting']}"


def _costs(checked: Checked) -> str:
    """Return what a plan costs that may not be the best, and by how much."""
    if checked.cost is None:
        return "is none"
    above = f", at most {float((checked.cost - checked.bound) / abs(checked.cost)):.3%} more" if checked.cost else ""
    return f"costs {_amount(checked, checked.cost)}{above}"


def _amount(checked: Checked, value: int | Fraction) -> str:
    """Return a cost in full; with its unit where the certificate says what is added up: bytes, each weighing 1."""
    from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS

    in_bytes = checked.header["problem"].get("objective") == {COMMUNICATION: "1"}
    return f"{in_full(value)} {COMPONENTS[COMMUNICATION].unit}" if in_bytes else in_full(value)
