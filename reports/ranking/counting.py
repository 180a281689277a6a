"""Counts what programs of random plans move, some at a time, and keeps what is counted in a file."""

from __future__ import annotations

import json
import sys
from fractions import Fraction

from hypar_opt.count.jax_counter import count_all, count_all_constrained
from hypar_opt.studies.operators.ranking import random_steps
from hypar_opt.util.files import write_atomically
from hypar_opt.util.numbers import exact

AT_ONCE = 5


def read(path):
    """Return what is counted, by network a list of plans."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def counted(path, problems, plans, explicit):
    """Count until there are so many plans of each network, of the first of them explicit collectives as well."""
    found = read(path)
    for name, problem in problems.items():
        rows = found.setdefault(name, [])
        drawn = random_steps(problem)
        while len(rows) < plans:
            some = [next(drawn) for _ in range(min(AT_ONCE, plans - len(rows)))]
            known = [row["words"] for row in rows]
            some = [(words, step) for words, step in some if dict(words) not in known]
            steps = [step for _, step in some]
            emitted = count_all_constrained(steps) if steps else ()
            for (words, _), one in zip(some, emitted, strict=True):
                rows.append({"words": dict(words), "emitted": exact(total(one))})
            write(path, found)
            sys.stderr.write(f"{name}: {len(rows)} plans\n")
        left = [row for row in rows[:explicit] if "explicit" not in row]
        while left:
            some, left = left[:AT_ONCE], left[AT_ONCE:]
            steps = [step_of(problem, row["words"]) for row in some]
            for row, one in zip(some, count_all(steps, runs=[None] * len(steps)), strict=True):
                row["explicit"] = exact(total(one))
            write(path, found)
            sys.stderr.write(f"{name}: {explicit - len(left)} explicit\n")
    return found


def step_of(problem, words):
    """Return the step of a plan."""
    from hypar_opt.export.planned import planned_step

    return planned_step(problem.instance, problem.plan_of(words))


def total(one):
    """Return what a program moves; of single numbers, as losses, nothing is said."""
    return sum((line.counted for line in one.lines), start=Fraction(0))


def write(path, found):
    """Write what is counted, a line a plan."""
    networks = (
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]" for name, rows in found.items()
    )
    write_atomically(path, "{" + ",\n".join(networks) + "}\n")
