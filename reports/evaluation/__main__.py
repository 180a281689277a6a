"""python -m reports.evaluation: the figures' tables and plots, and the proxy study, to reports/evaluation."""

from __future__ import annotations

import sys
import time

from hypar_opt.util.files import write_to_folder

from .pages import SHEETS, index
from .sheet import FOLDER


def main():
    """Write all pages and their index, and say what comes out."""
    write_to_folder(FOLDER, {"README.md": index([_written(make) for make in SHEETS])})


def _written(make):
    began = time.perf_counter()
    sheet = make()
    sheet.write()
    sys.stdout.write(f"{sheet.title}\n  {sheet.summary}\n  ({time.perf_counter() - began:.1f} s)\n")
    sys.stdout.flush()
    return sheet.line()


main()
