"""hypar-opt task-graph cg."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import click

from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.options import IntegerRange, Wanted, above_0, output_options
from hypar_opt.cli.task_graph_output import check_task_graph_file, task_graph_option, tell_task_graph
from hypar_opt.studies.conjugate_gradient.matrices import MATRICES
from hypar_opt.studies.conjugate_gradient.variants import VARIANTS
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.studies.conjugate_gradient import Loop, MatrixWork, Noise

MOST: Final = 2**31 - 1
MOST_TASKS: Final = 100_000
MOST_WAITS: Final = 1_000_000
"""Of products for blocks: some 20 MB."""
EPILOG = epilog(
    "hypar-opt task-graph cg --variant ifcg2 --workers 8 -o tasks.yaml   # two iterations of three blocks",
    "hypar-opt solve tasks.yaml",
    "hypar-opt task-graph cg --variant pcg --blocks 4 --seconds product=3 --seconds u=1/2",
    "hypar-opt task-graph cg --variant ifcg1 --matrix cfd2 --rate 2e9 --bandwidth 4e9",
    "hypar-opt task-graph cg --variant pipelined-cg --iterations 1 --periodic --workers 6",
    codes={0: "printed or written", 2: BAD_INPUT},
)


def _given(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for text in texts:
        name, _equals, number = text.partition("=")
        if name.strip() in found:
            raise click.BadParameter(f"the seconds of {name.strip()} are given twice")
        found[name.strip()] = _amount(number, f"NAME=SECONDS, as in product=3 or dot=1/2, got '{text}'")
    return found


def _share(_: click.Context, __: click.Parameter, text: str | None) -> Fraction | None:
    if text is None:
        return None
    said = f"a probability from 0 to 1, as 0.1 or 1/10, got '{text}'"
    found = _amount(text, said)
    if found > 1:
        raise click.BadParameter(f"expected {said}")
    return found


def _amount(text: str, said: str) -> Fraction:
    from decimal import InvalidOperation

    from hypar_opt.instance.exact import rational

    try:
        found = rational(text.strip())
    except (InvalidOperation, ValueError, OverflowError):
        found = None
    if found is None or found < 0:
        raise click.BadParameter(f"expected {said}")
    return found


@click.command("cg", epilog=EPILOG)
@click.option("--variant", type=click.Choice(list(VARIANTS)), required=True, help="The algorithm.")
@click.option(
    "--blocks", type=IntegerRange(1, 10_000), default=3, show_default=True, help="Into which vectors are cut."
)
@click.option("--iterations", type=IntegerRange(1, 10_000), default=2, show_default=True, metavar="N")
@click.option(
    "--workers", type=IntegerRange(1, MOST), metavar="N", help="One task each at a time. Without it, as many as wanted."
)
@click.option(
    "--fuse", type=IntegerRange(1, 10_000), metavar="N",
    help="Of ifcg1, ifcg2: iterations from one barrier to the next. Without it there is none.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="With --fuse: compute the residual anew before every barrier.")
@click.option(
    "--storage", type=click.Choice(["renamed", "in-place"]), default="renamed", show_default=True,
    help="Whether each iteration has vectors of its own, or overwrites those before, once nobody reads them any more.",
)  # fmt: skip
@click.option(
    "--reach", type=IntegerRange(0, 10_000), metavar="N",
    help="Blocks to either side that a product reads, of a banded matrix. Without it, all.",
)  # fmt: skip
@click.option(
    "--seconds", multiple=True, callback=_given, metavar="NAME=SECONDS",
    help="What an operation (product, preconditioner, dot, axpy, scalar, barrier) or a line of the algorithm (as z) "
    "takes. Unless given, a second, barriers nothing.",
)  # fmt: skip
@click.option("--matrix", type=click.Choice(list(MATRICES)), help="Seconds by operations and bytes of this matrix.")
@click.option("--rows", type=IntegerRange(1, MOST), metavar="N", help="The same of a matrix with so many rows,")
@click.option("--nonzeros", type=IntegerRange(1, 2**40), metavar="N", help="and so many elements that are not 0.")
@click.option("--rate", callback=above_0("flops a second"), metavar="FLOPS", help="Of a worker, a second.")
@click.option("--bandwidth", callback=above_0("bytes a second"), metavar="BYTES", help="Of a worker, a second.")
@click.option("--noise", callback=above_0("seconds"), metavar="SECONDS", help="Of a delay that tasks are longer by.")
@click.option("--frequency", callback=above_0("delays a second"), metavar="HZ", help="Delays a second of work.")
@click.option("--probability", callback=_share, metavar="P", help="Or: that a task has one delay.")
@click.option("--seed", type=IntegerRange(0, MOST), metavar="N", help="Of the delays. Default: 0.")
@click.option("--periodic", is_flag=True, help="The iterations are repeated for ever; the least period is asked for.")
@task_graph_option
@output_options
def command(
    variant: str, blocks: int, iterations: int, workers: int | None, fuse: int | None, check: bool, storage: Any,
    reach: int | None, seconds: dict[str, Fraction], periodic: bool, output: Path | None, wanted: Wanted, **asked: Any,
) -> None:  # fmt: skip
    """Write iterations of conjugate gradients as a task graph: which block of which vector is computed from which.

    Vectors are cut into blocks, and each line of the algorithm is a task a block; sums and coefficients are a task.
    What waits for what follows from what each reads and writes.
    """
    from hypar_opt.instance.tasks import read_task_graph
    from hypar_opt.studies.conjugate_gradient import Durations, Loop, cg_document

    check_task_graph_file(output)
    listing = VARIANTS[variant]
    if fuse is not None and not listing.fuses:
        fusing = ", ".join(one.name for one in VARIANTS.values() if one.fuses)
        raise InputError(f"{variant} has a barrier after each iteration; it goes with {fusing}", field="--fuse")
    if check and fuse is None:
        raise click.UsageError("--check is done before barriers; say with --fuse how many iterations are between them")
    if check and not periodic and fuse is not None and fuse >= iterations:
        said = f"nothing is checked: there is a barrier every {fuse:,} iterations, and none behind the last"
        raise InputError(f"{said} of {iterations:,}; expected a smaller --fuse, or --periodic", field="--check")
    loop = Loop(listing, blocks, iterations, fuse, storage, reach, check)
    _check_size(loop)
    document = cg_document(loop, workers, Durations(seconds, _counted(**asked)), _noise(**asked), periodic)
    read_task_graph(document)
    said = f"{listing.name}: {listing.summary} ({listing.source})."
    tell_task_graph(document, output, wanted, [said])


def _check_size(loop: Loop) -> None:
    """Find out before the work whether the graph is one that is written: products read blocks times blocks.

    Raises
    ------
    InputError
        If there are too many tasks, or they wait too often.
    """
    blocks, iterations, kernels = loop.blocks, loop.iterations, loop.variant.kernels
    tasks = iterations * sum(1 if kernel.operation.once else blocks for kernel in kernels)
    if tasks > MOST_TASKS:
        raise InputError(
            f"{tasks:,} tasks are more than {MOST_TASKS:,}; take fewer --blocks or --iterations", field="--iterations"
        )
    wide = blocks if loop.reach is None else min(blocks, 2 * loop.reach + 1)
    waits = iterations * sum(kernel.operation.gathers for kernel in kernels) * blocks * wide
    if waits > MOST_WAITS:
        said = f"products wait {waits:,} times for blocks, more than {MOST_WAITS:,}"
        raise InputError(f"{said}; take fewer --blocks or --iterations, or a --reach", field="--blocks")


def _counted(
    matrix: str | None, rows: int | None, nonzeros: int | None, rate: Any, bandwidth: Any, **_: Any
) -> MatrixWork | None:
    from hypar_opt.studies.conjugate_gradient import MatrixWork

    if matrix is not None and (rows is not None or nonzeros is not None):
        raise click.UsageError("--matrix says rows and nonzeros; give --matrix, or --rows and --nonzeros")
    if matrix is not None:
        rows, nonzeros = MATRICES[matrix].rows, MATRICES[matrix].nonzeros
    given = {"--rows": rows, "--nonzeros": nonzeros, "--rate": rate, "--bandwidth": bandwidth}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) == len(given):
        return None
    if rows is None or nonzeros is None or missing:
        raise click.UsageError(f"seconds by operations and bytes need {' and '.join(missing)}, too")
    if nonzeros > rows**2:
        raise InputError(f"expected at most {rows**2:,}, all elements there are, got {nonzeros:,}", field="--nonzeros")
    return MatrixWork(rows, nonzeros, Fraction(rate), Fraction(bandwidth))


def _noise(noise: Any, frequency: Any, probability: Fraction | None, seed: int | None, **_: Any) -> Noise | None:
    from hypar_opt.studies.conjugate_gradient import Noise

    if noise is None:
        if any(one is not None for one in (frequency, probability, seed)):
            raise click.UsageError("say how long a delay is with --noise")
        return None
    if (frequency is None) == (probability is None):
        raise click.UsageError("--noise needs either --frequency or --probability")
    return Noise(
        Fraction(noise), seed or 0, None if frequency is None else Fraction(frequency), probability or Fraction(0)
    )
