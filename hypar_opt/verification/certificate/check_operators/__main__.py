"""`python check_operators FILE`: check a certificate and print the verdict."""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # the folder is run, not imported: its parent is where it is imported from
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    __package__ = Path(__file__).resolve().parent.name

from .command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
