"""python -m reports.ranking: how predictions rank random plans by what their programs move; an hour at the first time.

What was counted is kept in counted.json; `--plans 20` counts so many of each network, and none that is there.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

from hypar_opt import solve
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.studies.operators.ranking import agreement, predictions
from hypar_opt.util.files import write_to_folder
from reports.operators.page import count, page

from .counting import counted
from .networks import problems

FOLDER = Path(__file__).parent
TEXT = """Written by `make ranking`. Of each network random plans on 2 x 4 devices, each word drawn from what is
allowed, were exported, compiled by JAX 0.10.2 for eight devices of a host, and their collectives counted. `collective`
is what explicit collectives move, `lacking` what devices need and do not hold, of partial sums every summand, and
`gspmd` is looked up in the shipped table of conversions, each of which was counted alone. Collectives of single
numbers, as the losses', are left out. *No rows*: neither height nor width may be split, so that no window needs its
neighbours."""
NAMES = {"collective": "collective", "lacking": "lacking", "gspmd": "gspmd"}


def ranked(name, problem, rows, which):
    """Yield a row a prediction of how it goes with what was counted."""
    rows = [row for row in rows if which in row]
    if len(rows) < 2:
        return
    said = [predictions(problem, row["words"]) for row in rows]
    real = [Fraction(row[which]) for row in rows]
    for accounting in NAMES if which == "emitted" else ("collective",):
        one = agreement([each[accounting] for each in said], real)
        yield {
            "network": name,
            "prediction": accounting,
            "plans": str(one.plans),
            "equal": str(one.equal),
            "Spearman": f"{one.spearman:.3f}",
            "Kendall": f"{one.kendall:.3f}",
            "counted / predicted": f"{one.least:.3f} to {one.most:.3f}, median {one.median:.3f}",
        }


def best(name, problem):
    """Yield the best plan under each accounting, priced under both."""
    for accounting in ("collective", "gspmd"):
        other = OperatorProblem(problem.instance.replace(accounting=accounting))
        plan = solve(other.instance, "joint-dp")
        said = predictions(problem, plan.strategies)
        yield {
            "network": name,
            "best under": accounting,
            "bytes as emitted": count(said["gspmd"]),
            "bytes by explicit collectives": count(said["collective"]),
            "saved by these": f"{float(1 - said['collective'] / said['gspmd']):.1%}",
        }


def written(found):
    """Return the page."""
    known = problems()
    emitted = [row for name, one in known.items() for row in ranked(name, one, found[name], "emitted")]
    explicit = [row for name, one in known.items() for row in ranked(name, one, found[name], "explicit")]
    plans = [row for name, one in known.items() if "no rows" not in name for row in best(name, one)]
    return page(
        "How predictions rank plans", TEXT,
        "## Programs with constraints alone", emitted,
        "## Programs of explicit collectives", explicit,
        "## What explicit collectives would save", plans,
    )  # fmt: skip


def main():
    """Count what is missing, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m reports.ranking")
    parser.add_argument("--plans", type=int, default=0, help="of each network; those that are there, unless given")
    parser.add_argument("--explicit", type=int, default=0, help="of how many of these explicit programs are counted")
    given = parser.parse_args()
    found = counted(FOLDER / "counted.json", problems(), given.plans, given.explicit)
    write_to_folder(FOLDER, {"ranking.md": written(found)})
    sys.stdout.write(f"{FOLDER / 'ranking.md'}\n")


if __name__ == "__main__":
    main()
