"""python -m reports.operators: what papers and lectures say of plans of operators, recomputed; some 3 minutes."""

from __future__ import annotations

import sys
from pathlib import Path

from hypar_opt.util.files import write_to_folder

from . import formulae, megatron, networks

FOLDER = Path(__file__).parent


def main():
    """Write the pages, and say which."""
    for name, module in (("formulae", formulae), ("megatron", megatron), ("networks", networks)):
        write_to_folder(FOLDER, {f"{name}.md": module.written()})
        sys.stdout.write(f"{FOLDER / name}.md\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
