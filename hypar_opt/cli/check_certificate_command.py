"""hypar-opt check-certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.display import echo_document
from hypar_opt.cli.options import Wanted, output_options
from hypar_opt.cli.watching import showing
from hypar_opt.errors import printable

if TYPE_CHECKING:
    from hypar_opt.certificate.check import Checked


EPILOG = """\b
Example:
  hypar-opt solve vgg-e --levels 16 --certificate plan.cert
  hypar-opt check-certificate plan.cert

\b
Exit codes: 0 the certificate proves its plan optimal; 1 it does not; 2 it is none, or damaged."""


@click.command("check-certificate", epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@output_options
def command(file: Path, as_json: bool, json_lines: bool, quiet: bool) -> int:
    """Check a certificate of optimality without any solver.

    FILE is what hypar-opt solve --certificate wrote. The checker is one file that needs NumPy only and can be run
    alone; it computes all costs anew from the layer sizes in the certificate. That those are the sizes of your
    instance is what hypar-opt verify --certificate checks as well.
    """
    from hypar_opt.certificate.read import check_file

    wanted = Wanted(as_json, json_lines, quiet)
    with showing(f"checking {file}", wanted):
        checked = check_file(file)
    document = _document(checked)
    if wanted.machine:
        echo_document(document, wanted)
    elif quiet:
        click.echo(document["verdict"])
    else:
        click.echo(printable(_text(checked)))
    return 0 if checked.proven else 1


def _document(checked: Checked) -> dict[str, object]:
    from hypar_opt.plan_file import exact

    problem = checked.header["problem"]
    return {
        "verdict": "proven" if checked.proven else "not proven",
        "instance": problem["instance"],
        "instance_sha256": problem["instance_sha256"],
        "overrides": problem["overrides"],
        "accounting": problem["accounting"],
        "batch": problem["batch"],
        "levels": problem["levels"],
        "bound": exact(checked.bound),
        "objective": exact(checked.cost),
        "faults": list(checked.faults),
    }


def _text(checked: Checked) -> str:
    from hypar_opt.plan_file import exact, in_full

    problem = checked.header["problem"]
    what = f"{problem['instance']}, batch {problem['batch']}, H = {problem['levels']}, {problem['accounting']}"
    if checked.proven:
        return f"proven: {what}: no plan is below {in_full(checked.bound)}, and the plan in the file costs that"
    return f"not proven: {what}: " + "; ".join(checked.faults or (f"the bound is {exact(checked.bound)}",))
