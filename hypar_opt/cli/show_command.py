"""hypar-opt show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import (
    Wanted,
    form_of,
    output_options,
    override_option,
    path_option,
    table_format_of,
    table_formats,
)
from hypar_opt.cli.progress import showing
from hypar_opt.cli.shown_curve import show_curve
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.util.extras import require
from hypar_opt.util.files import atomically, check_writable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.instance import Instance
    from hypar_opt.report.arrays.shown import LinksBy, PlacedArray
    from hypar_opt.report.shown import Shown
    from hypar_opt.report.tables import TableDocument, TableFormat
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.verification.claim import Claim

LINKS_HELP = "With --plan: links ranked and coloured by the time that they take, or by bytes. Default: time, if known."
NO_GRAPH = "--graph draws a plan of a pipeline or a collective: expected one of these, and --plan"
EPILOG = epilog(
    "hypar-opt show torus-16                        # as text",
    "hypar-opt show torus-16 -o torus.svg           # as a picture",
    "hypar-opt solve vgg-e --array torus-16 --objective hop-bytes -o plan.json",
    "hypar-opt show vgg-e --plan plan.json -o traffic.png",
    "hypar-opt show vgg-e --plan plan.json -o plan.tex   # the plan and its bytes, as tables for a paper",
    "hypar-opt show vgg-e --network                 # every layer of it; with -o layers.csv as a table",
    "hypar-opt show h100-8x8 -o axes.svg            # an array of axes, the groups of each in colours",
    "hypar-opt show gpt2-small --plan plan.json     # of operators: dimensions, collectives, memory, time",
    "hypar-opt show five-devices --plan plan.json --graph -o graph.svg   # of a pipeline: operators, coloured by stage",
    "hypar-opt show torus-4x4-gather --plan schedule.json --graph -o ways.svg   # of a collective: ways of chunks",
    "hypar-opt show GRAPH.json --plan plan.json --curve -o curve.svg   # of any plan: how its search went",
    codes={0: "shown", 2: "bad input, or an array too large to be shown so"},
)


@click.command("show", epilog=EPILOG)
@click.argument("array", shell_complete=words.shown_arrays)
@path_option(
    "--plan", metavar="PLAN.json", help="With the traffic of a plan of the instance.", shell_complete=files.plans
)
@click.option("--links", type=click.Choice(["time", "bytes"]), help=LINKS_HELP)
@override_option("levels")
@click.option("--network", is_flag=True, help="Instead: every layer of the instance, as it is understood.")
@click.option(
    "--graph",
    is_flag=True,
    help="With -o: of a pipeline's plan who reads whom, coloured by stage; of a collective's the ways of chunks.",
)
@click.option("--curve", is_flag=True, help="With --plan: how the best plan and the bound moved while it was searched.")
@path_option(
    "-o",
    "--output",
    metavar="FILE",
    help="A picture: .png, .svg; of --plan or --network tables: .csv, .md, .tex, .json.",
)
@output_options
def command(
    array: str,
    plan: Path | None,
    links: LinksBy | None,
    network: bool,
    graph: bool,
    curve: bool,
    levels: int | None,
    output: Path | None,
    wanted: Wanted,
) -> None:
    """Show ARRAY: an array's file or a shipped one's name, or an instance, whose array it is.

    As text: its size, how far the counterparts of each level are apart, and the link that each level waits for;
    with a plan, also the bytes on the links and the time that they take, by walking every route. With -o a picture of
    the same; or, by the name's end, tables of the plan: its grid, and its bytes by layer, boundary and level.

    An array may be a product of axes (node, gpu, ...): then it is their sizes and what a device's link along each can
    do, the picture has the groups of each axis, and a plan is one of operators: which dimension is split on which
    axis, the collectives, bytes, memory and seconds that this means, and how much less a step takes with overlap.

    With --network the layers of an instance: shapes, kernels, parameters (biases left out), multiply-adds of the
    forward phase and bytes, of one sample; whether a plan decides them; and what they come to, of the batch, too.

    Of a pipeline its operators are shown, and of a plan of it the stages: as bars of what each does, or with --graph
    as its operators in the stages' colours, with lines from what makes an output to what reads it.

    With --curve a plan of anything, strategy graphs too, is shown as its search went: when there was a first plan,
    and best cost and bound over time, which `solve -o` keeps in the plan's file.
    """
    if curve:
        _check_alone(plan, links, levels, network=network, graph=graph)
        show_curve(array, cast("Path", plan), output, wanted)
        return
    if network and (plan is not None or links is not None):
        raise click.UsageError("--network shows layers; leave out --plan and --links")
    if _of_another_kind(array, plan, levels, wanted, network=network, output=output, links=links, graph=graph):
        return
    if graph:
        raise Refusal(NO_GRAPH)
    if network:
        _show_network(array, levels, wanted, output)
        return
    form = tables = None
    if output is not None:
        tables = _table_format(output, plan)
        form = None if tables else form_of(output, "--output", () if plan is None else tuple(table_formats()))
        check_writable(output)
        check_apart({"--output": output}, array, plan)
    if form is not None:
        require("report")
    with showing(f"measuring {array}", wanted) as state:
        content = None if tables is None or plan is None else _tables(array, plan, levels, tables)
        shown = None
        if tables is None or wanted.machine:  # tables need no routes
            shown = _without_plan(array, levels) if plan is None else _with_plan(array, plan, levels)
            shown = _compared(shown, links)
        state.doing("drawing")
        if form is not None and shown is not None:
            content = _drawn(shown, form)
    if output is not None and content is not None:
        with atomically(output) as stream:
            stream.write(content)
    if shown is not None:
        _tell(shown, wanted, output)


def _check_alone(plan: Path | None, links: LinksBy | None, levels: int | None, *, network: bool, graph: bool) -> None:
    """Check that nothing else is asked for where a curve is."""
    others = {"--network": network, "--graph": graph, "--links": links, "--levels": levels}
    said = ", ".join(name for name, given in others.items() if given)
    if plan is None:
        raise click.UsageError("--curve is of a plan: expected --plan PLAN.json, too")
    if said:
        raise click.UsageError(f"--curve shows how a plan was found; leave out {said}")


def _of_another_kind(
    name: str,
    plan: Path | None,
    levels: int | None,
    wanted: Wanted,
    *,
    network: bool,
    output: Path | None,
    links: LinksBy | None,
    graph: bool,
) -> bool:
    """Show what has no links: axes, operators, kinds of accelerators; return whether that was asked for."""
    from hypar_opt.report.console import console
    from hypar_opt.report.subjects import shown_of

    shown = shown_of(name, plan, levels, network=network)
    if shown is None:
        return False
    if graph:
        if shown.graph is None:
            raise Refusal(NO_GRAPH)
        if output is None:
            raise click.UsageError("--graph draws a picture: expected --output, too, .svg or .png")
        shown = replace(shown, figure=shown.graph, tables=None)
    if links is not None:
        if shown.links is None:
            raise Refusal(
                "links are ranked of plans on arrays of links; axes and operators have none, an array alone no traffic"
            )
        _show_links(_compared(shown.links(), links), wanted, output, name, plan)
        return True
    if output is not None:
        _write(shown, output, name, plan)
    if wanted.machine:
        echo_document(shown.document(), wanted)
    elif output is not None:
        return True
    elif wanted.quiet:
        click.echo("\n".join(shown.headline()))
    else:
        shown.show(console())
    return True


def _show_links(shown: PlacedArray, wanted: Wanted, output: Path | None, *read: str | Path | None) -> None:
    """Show what a plan puts on the links of an array of several kinds."""
    if output is not None:
        form = form_of(output, "--output")
        check_writable(output)
        check_apart({"--output": output}, *read)
        require("report")
        content = _drawn(shown, form)
        with atomically(output) as stream:
            stream.write(content)
    _tell(shown, wanted, output)


def _tell(shown: PlacedArray, wanted: Wanted, output: Path | None) -> None:
    """Print an array with its traffic, unless there is a picture of it."""
    if wanted.machine:
        from hypar_opt.report.arrays.document import array_document

        echo_document(array_document(shown), wanted)
    elif output is None:
        from hypar_opt.report.arrays.view import headline, show_array
        from hypar_opt.report.console import console

        click.echo("\n".join(headline(shown))) if wanted.quiet else show_array(console(), shown)


def _write(shown: Shown, output: Path, *read: str | Path | None) -> None:
    """Write tables of a plan or of a network of operators, or the picture of a plan or of an array."""
    known = table_formats()
    if shown.tables is None and output.suffix.lower() in known:
        raise Refusal(
            "this array is shown as text and as a picture; tables are of a plan (--plan) or a network (--network)"
        )
    if shown.tables is not None and (shown.figure is None or output.suffix.lower() in known):
        _write_tables(shown.tables, output, *read)
        return
    if shown.figure is None:
        raise Refusal("this is shown as text and by --json; there is no picture of it")
    form = form_of(output, "--output", () if shown.tables is None else tuple(known))
    check_writable(output)
    check_apart({"--output": output}, *read)
    require("report")
    from hypar_opt.report.charts.export import picture

    content = picture(shown.figure(), form)
    with atomically(output) as stream:
        stream.write(content)


def _write_tables(make: Callable[[], TableDocument], output: Path, *read: str | Path | None) -> None:
    """Write tables in the format that the file's name ends with."""
    form = table_format_of(output, "--output")
    check_writable(output)
    check_apart({"--output": output}, *read)
    content = form.write(make()).encode(errors="surrogateescape")
    with atomically(output) as stream:
        stream.write(content)


def _compared(shown: PlacedArray, links: LinksBy | None) -> PlacedArray:
    """Return an array whose links are compared by what was asked for; by time where nothing was, and it is known."""
    if links is None:
        return shown
    if shown.traffic is None:
        raise InputError("without a plan links carry nothing; expected --plan, too", field="--links")
    if links == "time" and not shown.is_timed:
        raise InputError("the array does not say how fast all of its links are; try bytes", field="--links")
    return replace(shown, links_by=links)


def _show_network(name: str, levels: int | None, wanted: Wanted, output: Path | None) -> None:
    from hypar_opt.report.console import console
    from hypar_opt.report.network import headline, network_document, network_tables, show_network

    instance, _ = _read(name, levels, "an instance to show the network of")
    if output is not None:
        _write_tables(partial(network_tables, instance), output, name)
    if wanted.machine:
        echo_document(network_document(instance), wanted)
    elif output is None:
        click.echo("\n".join(headline(instance))) if wanted.quiet else show_network(console(), instance)


def _without_plan(array: str, levels: int | None) -> PlacedArray:
    from hypar_opt.report.arrays.shown import show

    instance, name = _read(array, levels)
    shown = show(name, instance.machine, *_placed(instance))
    return replace(shown, accelerator=instance.accelerator)


def _read(array: str, levels: int | None, wanted: str = "") -> tuple[Instance, str]:
    """Return an instance, and what it is called; that of a shipped array or an array's file says no network.

    Raises
    ------
    InputError
        If it cannot be read; or is an array, where something else is wanted.
    """
    from hypar_opt.instance import Overrides, find_instance, read_instance, shipped_arrays, shipped_names
    from hypar_opt.instance.read import is_array, load_array
    from hypar_opt.instance.shipped import find_file

    shipped = {**shipped_arrays(), **{name: find_instance(name) for name in shipped_names()}}
    path = find_file(array, shipped, "the name of a shipped array or instance")
    overrides = Overrides(levels=levels)
    if is_array(path):
        if wanted:
            raise InputError(f"expected {wanted}, got an array, which has no network", file=path)
        return load_array(path, overrides), path.stem
    instance = read_instance(path, overrides)
    return instance, instance.name


def _placed(instance: Instance) -> tuple[tuple[int, ...], str]:
    if instance.placement is None:
        return tuple(range(instance.partition.leaves)), "identity, none is given"
    return instance.placement, "identity" if instance.spec.array.placement == "identity" else "given"


def _read_plan(array: str, path: Path, levels: int | None) -> tuple[NetworkProblem, Claim, Mapping[str, str]]:
    from hypar_opt.verification.checks import read_allowed

    if levels is not None:
        raise InputError("the plan's file says how many there are; leave it out", field="--levels")
    return read_allowed(array, path, "a plan to show")


def _table_format(output: Path, plan: Path | None) -> TableFormat | None:
    """Return what a table is written as where that is what a file's name asks for."""
    found = table_formats().get(output.suffix.lower())
    if found is not None and plan is None:
        raise InputError(f"a table ('{output.name}') is of a plan; expected --plan PLAN.json too", field="--output")
    return found


def _tables(array: str, path: Path, levels: int | None, form: TableFormat) -> bytes:
    from hypar_opt.report.plan_tables import plan_tables

    problem, claim, _ = _read_plan(array, path, levels)
    return form.write(plan_tables(problem, claim)).encode(errors="surrogateescape")


def _with_plan(array: str, path: Path, levels: int | None) -> PlacedArray:
    """Return an instance's array with the traffic of a plan of it, whatever its status claims."""
    from hypar_opt.evaluation.communication import by_phase
    from hypar_opt.instance.accountings import LEVELLED
    from hypar_opt.report.arrays.shown import show
    from hypar_opt.solver.network_tasks import sites_of

    problem, claim, strategies = _read_plan(array, path, levels)
    instance = problem.instance
    if instance.accounting not in LEVELLED:
        raise Refusal(
            f"accounting '{instance.accounting}' does not say who sends at which level; "
            "expected a plan of another accounting, or the array without a plan"
        )
    machine = instance.machine
    placed, origin = _placed(instance)
    if claim.placement is not None:
        placed, origin = sites_of(problem, claim.placement), "of the plan"
    breakdown = problem.bytes_of(strategies)
    shown = show(instance.name, machine, placed, origin, by_phase(problem.work, strategies, breakdown))
    step, splits = problem.step(breakdown, placed), problem.uneven_splits(strategies)
    shown = shown.exchanging(problem.measured(breakdown, placed))
    return replace(shown, accelerator=instance.accelerator, step=step, splits=splits)


def _drawn(shown: PlacedArray, form: Literal["png", "svg"]) -> bytes:
    from hypar_opt.report.arrays.view import headline
    from hypar_opt.report.charts.export import picture
    from hypar_opt.report.charts.links import links_figure

    first, *costs = headline(shown)
    return picture(links_figure(shown, lines=(f"{first}; placement {shown.placement}", *costs)), form)
