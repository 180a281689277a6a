"""What `hypar-opt report` says when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.report.pages import Written


def show(written: Written, output: Path, wanted: Wanted) -> None:
    """Say what was written and where, to people or machines."""
    from hypar_opt.cli.display import echo_document
    from hypar_opt.exploring import counted
    from hypar_opt.report.comparison.flat import rows

    report = written.report
    size = sum(path.stat().st_size for path in written.paths)
    cells = [cell for subject in report.subjects for cell in subject.cells]
    if wanted.machine:
        document = {
            "report": str(output / "index.html"),
            "pages": [str(path) for path in written.paths if path.suffix == ".html"],
            "files": len(written.paths),
            "bytes": size,
            "stopped": report.stopped,
            "rows": rows(cells),
            "claims": len(report.rows),
            "faults": list(report.faults),
        }
        echo_document(document, wanted)
        return
    if not wanted.quiet:
        plans = sum(len(subject.plans) for subject in report.subjects)
        parts = [counted(len(report.subjects), "instance"), counted(plans, "plan")]
        parts += [] if report.claims is None else [counted(len(report.rows), "claim")]
        click.echo(f"{', '.join(parts)}; {counted(len(written.paths), 'file')}, {size:,} bytes")
    click.echo(f"written: {output / 'index.html'}")
