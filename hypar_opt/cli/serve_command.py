"""hypar-opt serve."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.on import on_option, opened
from hypar_opt.cli.options import MOST_GIB, Wanted

if TYPE_CHECKING:
    from hypar_opt.executor.engines import EngineSpec

EPILOG = epilog(
    "hypar-opt serve",
    "hypar-opt serve state/ --port 0 --jobs 4 --job-time 3600 --job-memory 16",
    "hypar-opt serve state/ --on local:4",
    codes={2: "bad input, or the address or the folder cannot be had"},
    stopped=", which end it",
)
LOOPBACK: Final = "127.0.0.1"
MOST_MIB: Final = 64


def _positive(_: click.Context, __: click.Parameter, value: float) -> float:
    if not (0 < value <= MOST_GIB and math.isfinite(value)):
        raise click.BadParameter(f"expected a positive number, at most {MOST_GIB}")
    return value


@click.command("serve", epilog=EPILOG)
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--host", default=LOOPBACK, show_default=True, metavar="ADDRESS", help="Loopback only unless given.")
@click.option("--port", type=click.IntRange(0, 65535), default=8787, show_default=True, metavar="N", help="0: any.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, show_default=True, metavar="N", help="Workers at once.")
@click.option(
    "--job-time",
    type=float,
    default=600,
    show_default=True,
    metavar="S",
    callback=_positive,
    help="Seconds that a job may take.",
)
@click.option(
    "--job-memory",
    type=float,
    default=4,
    show_default=True,
    metavar="GIB",
    callback=_positive,
    help="Memory that a job may use.",
)
@click.option(
    "--upload-limit",
    type=click.IntRange(1, MOST_MIB),
    default=MOST_MIB,
    show_default=True,
    metavar="MIB",
    help="Of a request.",
)
@click.option(
    "--queue-limit",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Jobs that may wait.",
)
@click.option(
    "--keep",
    type=click.IntRange(1, 100_000),
    default=500,
    show_default=True,
    metavar="N",
    help="Finished jobs that are kept; older ones are deleted.",
)
@on_option
@click.option("--json-lines", is_flag=True, help="Print where the page is as a JSON line.")
@click.option("--quiet", "-q", is_flag=True, help="Print the address only.")
def command(
    folder: Path | None,
    host: str,
    port: int,
    jobs: int,
    job_time: float,
    job_memory: float,
    upload_limit: int,
    queue_limit: int,
    keep: int,
    on: EngineSpec | None,
    json_lines: bool,
    quiet: bool,
) -> None:
    """Open a page on which instances are picked, edited and solved.

    Jobs run in processes of their own, with limits on time and memory; what comes of them is kept in DIR and is there
    after a restart. With --on, workers of an engine begin such a process each where they run, as many at once as there
    are workers. DIR is hypar-opt/serve in your state directory ($XDG_STATE_HOME, ~/.local/state) unless given.
    """
    from hypar_opt.formulation.run import Limits
    from hypar_opt.util.files import make_folder
    from hypar_opt.web.guard import is_loopback, url_of
    from hypar_opt.web.handed import HandedJobs
    from hypar_opt.web.server import bound, run
    from hypar_opt.web.settings import GIB, MIB, Settings, default_folder

    given = click.get_current_context().get_parameter_source("jobs")
    if on is not None and given is not ParameterSource.DEFAULT:
        raise click.UsageError("--on says how many jobs run at once, as local:4 does; leave out --jobs")
    folder = (default_folder() if folder is None else folder).absolute()
    make_folder(folder)
    settings = Settings(folder, jobs, job_time, int(job_memory * GIB), upload_limit * MIB, queue_limit, keep)
    limits = Limits(memory_bytes=settings.job_memory)
    with opened(on, limits, Wanted(False, json_lines, quiet)) as workers:
        listening, address = bound(host, port)
        url = url_of(address)
        if not is_loopback(host):
            click.echo(
                f"warning: {url} can be reached from other machines, and whoever reaches it may use it", err=True
            )

        def ready() -> None:
            if json_lines:
                click.echo(json.dumps({"event": "ready", "url": url, "folder": str(folder)}))
            else:
                click.echo(url if quiet else f"{url}  (state in {folder}; Ctrl-C ends it)")

        run(settings, listening, address, ready, None if workers is None else HandedJobs(workers, settings, limits))
