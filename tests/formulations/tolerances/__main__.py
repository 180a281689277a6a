"""python -m tests.formulations.tolerances [--count N] [-o FOLDER]: judge answers, on from where FOLDER is."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from tests.formulations.tolerances.drawing import KINDS
from tests.formulations.tolerances.judging import FORMULATIONS, judged
from tests.formulations.tolerances.record import Record, commit

OFTEN = 50
"""After so many seeds the record is written."""


def main() -> None:
    """Judge whole seeds until so many answers are judged."""
    parser = ArgumentParser(prog="python -m tests.formulations.tolerances")
    parser.add_argument("--count", type=int, default=100_000, help="answers in all, those of before included")
    parser.add_argument("-o", type=Path, default=Path("reports/campaigns/tolerances"), metavar="FOLDER")
    given = parser.parse_args()
    path = given.o / "tolerances.json"
    record = Record.of(path)
    record.commits = list(dict.fromkeys([*record.commits, commit()]))
    while record.total < given.count:
        for kind, draw in KINDS.items():
            case = draw(record.seed)
            for name in FORMULATIONS[kind]:
                if name == "placement-milp" and record.seed % 20:
                    continue
                record.add(kind, name, *judged(name, case))
        record.seed += 1
        if record.seed % OFTEN == 0:
            record.write(path)
    record.write(path)
    print(record.text())


main()
