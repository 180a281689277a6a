"""The group of commands, with help that needs none of them."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click

from hypar_opt.cli.epilog import epilog

if TYPE_CHECKING:
    from collections.abc import Mapping

SUMMARIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "solve": "Find a plan for one instance and say what is proven of it.",
        "compare": "One table: instances x formulations.",
        "compare-arrays": "One table: instances x arrays, each with its best plan and placement.",
        "diff": "In which layers two plans differ, and what each difference costs.",
        "verify": "Decide whether what a plan claims is true.",
        "check-certificate": "Check a certificate of optimality without any solver.",
        "audit": "One table: published claims and what is true of them.",
        "report": "Pages to open in a browser: results, plans as pictures, fronts, verdicts.",
        "campaign": "How often the greedy search misses the optimum, on random chains.",
        "pareto": "Every trade-off between time and energy, or other components, each with a plan.",
        "show": "An array as text or as a picture, with the traffic of a plan; the layers of a network.",
        "explore": "Weigh all plans of a corner of the search space; arrays of all sizes.",
        "simulate": "Simulate one training step of a plan, or a collective's schedule, event by event.",
        "schedule": "The microbatches of a pipeline in time, by every known schedule.",
        "replay": "When a rule would have raised the bits of layers, beside the best static ones.",
        "serve": "A page on which instances are picked, edited and solved.",
        "import": "Read a model of a framework, or a strategy graph, and write it as a file to be solved.",
        "export": "Write an instance as a strategy graph, or a plan as a program or for other programs.",
        "count": "Count what the program of a plan moves, beside what is predicted.",
        "count-conversions": "Count what JAX's partitioner moves from each placement to each other.",
        "task-graph": "Write a plan, or another problem, as tasks in time that `solve` puts in order.",
        "instance": "Print a shipped instance, or any, as one file to be edited.",
        "list": "Show the instances, formulations, topologies or arrays there are.",
        "schema": "Print the JSON Schema of instance files.",
        "completion": "Print the script by which bash, zsh or fish completes what is typed.",
        "help": "Say what a command does.",
    }
)
"""By command; each stands in the module of its name."""


class LazyGroup(click.Group):
    """A group that imports a command when it is called.

    Parameters
    ----------
    summaries
        By command, what it does.
    module
        Where a command stands, `{}` being its name.
    noun
        What its commands are called in messages.
    """

    def __init__(
        self,
        *args: Any,
        summaries: Mapping[str, str] = SUMMARIES,
        module: str = "hypar_opt.cli.{}_command",
        noun: str = "command",
        **others: Any,
    ) -> None:
        super().__init__(*args, **others)
        self.summaries, self._module, self._noun = summaries, module, noun

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.summaries:
            return None
        module = import_module(self._module.format(cmd_name.replace("-", "_")))
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command where there is none of that name."""
        from hypar_opt.util.errors import did_you_mean

        unknown = bool(args) and args[0] not in self.summaries and not args[0].startswith("-")
        if unknown and not ctx.resilient_parsing:
            hint = did_you_mean(args[0], self.summaries) or f"; there are {', '.join(self.summaries)}"
            raise click.UsageError(f"no {self._noun} is called '{args[0]}'{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands' summaries without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"hypar-opt {version('hypar-opt')}")
        ctx.exit()


EPILOG = epilog(
    "hypar-opt solve vgg-e",
    "hypar-opt solve vgg-e -f hypar-dp --accounting as-evaluated -o plan.json",
    "hypar-opt solve my-network.yaml --levels 10 --time-limit 60",
    "hypar-opt compare sfc lenet-c -f hypar-dp,joint-dp,milp-highs,cp-sat",
    "hypar-opt solve vgg-e --levels 16 -o plan.json --certificate plan.cert",
    "hypar-opt verify vgg-e plan.json --certificate plan.cert",
    "hypar-opt audit hypar-hpca19",
    "hypar-opt campaign --count 1000",
    "hypar-opt explore lenet-c --array hypar-16 --levels-free 1,4",
    "hypar-opt show torus-16 -o torus.png",
    "hypar-opt list instances",
    "hypar-opt help solve",
    codes={
        0: "done, or a claim confirmed",
        1: "a claim refuted, or two proofs disagree",
        2: "bad input, or a formulation declines",
        3: "stopped at a limit without a plan, or a claim undecided",
    },
)


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version.",
)
def cli() -> None:
    """Find plans for training a network on an accelerator array, and prove them.

    For every layer and every level of a binary hierarchy of 2^H accelerators a plan chooses between data (dp),
    model (mp) and output (op) parallelism, so that as few bytes as possible are exchanged, or a
    step takes as little time or energy as possible.
    """
