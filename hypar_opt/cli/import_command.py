"""hypar-opt import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.model_options import model_options
from hypar_opt.cli.options import Wanted, check_graph_file, output_options, override_option, path_option
from hypar_opt.cli.pipeline_options import pipeline_options
from hypar_opt.cli.progress import showing
from hypar_opt.importers.pipelines.own import is_own
from hypar_opt.importers.sources import SOURCES
from hypar_opt.instance.formats import FORMATS, file_of
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.importers.pipelines import MadePipeline, PipelineWishes
    from hypar_opt.importers.wishes import Wishes

GRAPHS: Final = [one.name for one in FORMATS.values() if one.holds == "strategy graph"]
PIPELINE: Final = "pipeline"
KINDS: Final = [*SOURCES, *GRAPHS, PIPELINE]
EPILOG = epilog(
    "hypar-opt import onnx resnet50.onnx --batch 256 -o resnet50.yaml",
    "hypar-opt solve resnet50.yaml --array a100-2x8",
    "hypar-opt import torch models:small -o small.yaml",
    "hypar-opt import hf gpt2 --dim sequence=512 --loss -o gpt2.yaml",
    "hypar-opt import iopddl asplos-2025-iopddl-A.json.gz",
    "hypar-opt import iopddl model.json.gz -o model.json",
    "hypar-opt import pipeline vgg16.txt --devices 4 -o vgg16.yaml",
    "hypar-opt import pipeline vgg-a --array hypar-16 --straight -o vgg-a.yaml",
    codes={0: "read", 2: BAD_INPUT},
)


@click.command("import", epilog=EPILOG)
@click.argument("kind", type=click.Choice(KINDS), metavar="|".join(KINDS))
@click.argument("model")
@path_option(
    "-o", "--output", metavar="OUT", help="Write it: a model as .yaml or .json, a strategy graph as .json or .json.gz."
)
@model_options
@override_option("array", help="Of a pipeline of an instance: as of `solve`.")
@pipeline_options
@output_options
def command(
    kind: str,
    model: str,
    output: Path | None,
    array: str | None,
    wishes: Wishes,
    asked: PipelineWishes,
    wanted: Wanted,
) -> None:
    """Read MODEL, say what is in it, and write it as a file that `solve` takes.

    MODEL is an ONNX file, whose weights are not needed (onnx); MODULE:FUNCTION that returns a module and example
    inputs (torch), or a function and example arguments, trained ones first (jax); a config.json of Hugging Face's
    transformers, its folder, or a type of model (hf); or a strategy graph of the ASPLOS 2025 contest on
    intra-operator parallelism, compressed by gzip or not (iopddl); or a pipeline (pipeline): a profile of PipeDream, a
    throughput input of dnn-partitioning, or a table in CSV, told by what is in it; or an instance, a file or a shipped
    one, whose layers are timed on one accelerator of its array. Nothing is fetched.

    A model becomes an instance of operators with named dimensions, whose layers have the names of the model's modules.
    Equal blocks are written once. An operator that no layer is like is known by its sizes alone, with a warning. A
    strategy graph is checked, and presolved.
    """
    if kind != PIPELINE and asked.given:
        raise InputError(f"is of pipelines; {kind} has none", field=f"--{asked.given[0]}")
    if kind in SOURCES:
        _import_model(kind, model, output, wishes, wanted)
        return
    is_network = kind == PIPELINE and is_own(model)
    barred = ("sizes", "is_strict", "has_loss") if is_network else ("batch", "sizes", "is_strict", "has_loss")
    given = next((name for name in barred if getattr(wishes, name)), None)
    if given is not None:
        raise InputError(f"is of models; {kind} is a {WORDS.get(kind, 'strategy graph')}", field=_OPTIONS[given])
    if array is not None and not is_network:
        raise InputError("is of instances that are read as pipelines", field="--array")
    if is_network:
        from hypar_opt.instance.read import load_any_instance
        from hypar_opt.studies.pipelines import pipeline_of

        instance = load_any_instance(model, array=array, batch=wishes.batch)
        _import_pipeline(model, lambda: pipeline_of(instance, asked), output, wanted)
    elif kind == PIPELINE:
        from hypar_opt.importers.pipelines import import_pipeline

        _import_pipeline(model, lambda: import_pipeline(Path(model), asked), output, wanted)
    else:
        _import_graph(kind, Path(model), output, wanted)


WORDS: Final = {PIPELINE: "pipeline"}
"""What a kind is that is neither a model nor a strategy graph."""
_OPTIONS: Final = {"batch": "--batch", "sizes": "--dim", "is_strict": "--strict", "has_loss": "--loss"}


_LACKS: Final = {"dim": "sizes for all dimensions", "strict": "no operators that could be unknown"}


def _import_model(kind: str, model: str, output: Path | None, wishes: Wishes, wanted: Wanted) -> None:
    from hypar_opt.report.operators.imported import imported_document, instance_bytes, show_imported
    from hypar_opt.util.files import atomically

    for name, given in (("dim", wishes.sizes), ("strict", wishes.is_strict)):
        if given and name not in SOURCES[kind].options:
            raise InputError(f"{kind} has {_LACKS[name]}", field=f"--{name}")
    if output is not None:
        _check_instance_file(output)
        check_apart({"--output": output}, Path(model), Path(model) / "config.json")
    with showing(f"reading {Path(model).name}", wanted):
        made = SOURCES[kind].read(model, wishes)
    for warning in made.warnings:
        click.echo(f"warning: {warning}", err=True)
    if output is not None:
        with atomically(output) as stream:
            stream.write(instance_bytes(made, is_json=output.suffix.lower() == ".json"))
    if wanted.machine or not wanted.quiet:
        show_result(wanted, imported_document, show_imported, made)
    if output is not None:
        wanted.tell_of([output])


def _check_instance_file(output: Path) -> None:
    """Check that an instance can be written there.

    Raises
    ------
    InputError
        If it cannot, or the name says something else.
    """
    from hypar_opt.util.files import check_writable

    if output.suffix.lower() not in (".yaml", ".yml", ".json"):
        raise InputError(f"expected a name that ends in .yaml or .json, got '{output.name}'", field="--output")
    check_writable(output)


def _import_pipeline(model: str, read: Callable[[], MadePipeline], output: Path | None, wanted: Wanted) -> None:
    from hypar_opt.report.pipeline_instance import pipeline_document, show_pipeline
    from hypar_opt.util.files import atomically

    if output is not None:
        _check_instance_file(output)
        check_apart({"--output": output}, Path(model))
    with showing(f"reading {Path(model).name}", wanted):
        made = read()
        instance = made.instance  # which checks it, before anything is written
        content = "" if output is None else made.json if output.suffix.lower() == ".json" else made.text
    if output is not None:
        with atomically(output) as stream:
            stream.write(content.encode())
    if wanted.machine or not wanted.quiet:
        show_result(
            wanted,
            lambda one: {**pipeline_document(one), "source": list(made.comments)},
            show_pipeline,
            instance,
        )
    if output is not None:
        wanted.tell_of([output])


def _import_graph(kind: str, file: Path, output: Path | None, wanted: Wanted) -> None:
    from hypar_opt.instance.strategy_graph.write import write_strategy_graph
    from hypar_opt.report.strategy_graph import graph_document, show_graph
    from hypar_opt.solver.graph_problem import GraphProblem

    if output is not None:
        check_graph_file(output)
        check_apart({"--output": output}, file)
    document: dict[str, Any] = {}
    with showing(f"reading {file.name}", wanted) as state:
        problem = GraphProblem(FORMATS[kind].read(file_of(file)))
        problem.tables  # noqa: B018 - which refuses what no sum of 64 bits holds, before anything is written
        if output is not None:
            state.doing("writing")
            write_strategy_graph(problem.instance, output)
        state.doing("presolving")
        document = {} if wanted.quiet and not wanted.machine else graph_document(problem)
    if wanted.machine or not wanted.quiet:
        show_result(wanted, dict, show_graph, document)
