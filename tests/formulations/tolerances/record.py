"""What was judged so far, kept in a file, so that a campaign goes on where it was."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from tests.formulations.tolerances.judging import DECLINED, WRONG

if TYPE_CHECKING:
    from pathlib import Path

STATUSES = ("OPTIMAL", "INFEASIBLE", "FEASIBLE", "NO_SOLUTION", DECLINED, WRONG)
PACKAGES = ("numpy", "scipy", "pulp", "highspy", "ortools")


@dataclass
class Record:
    """Counts.

    Parameters
    ----------
    seed
        The next one.
    counts
        By kind, formulation and status.
    declined
        By formulation, why and how often.
    wrong
        Every one: kind, seed, formulation, what was said.
    commits
        Of the checkouts that judged.
    """

    seed: int = 0
    counts: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    declined: dict[str, dict[str, int]] = field(default_factory=dict)
    wrong: list[list[str]] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)

    @staticmethod
    def of(path: Path) -> Record:
        """Read one, or begin one."""
        return Record(**json.loads(path.read_text())) if path.exists() else Record()

    @property
    def total(self) -> int:
        """Answers judged."""
        return sum(sum(each.values()) for kind in self.counts.values() for each in kind.values())

    def add(self, kind: str, name: str, status: str, said: str) -> None:
        """Count an answer."""
        each = self.counts.setdefault(kind, {}).setdefault(name, {})
        each[status] = each.get(status, 0) + 1
        if status == DECLINED:
            reasons = self.declined.setdefault(name, {})
            reasons[said] = reasons.get(said, 0) + 1
        if status == WRONG:
            self.wrong.append([kind, str(self.seed), name, said])

    def write(self, path: Path) -> None:
        """Write the record, and a table of it beside."""
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = {name: getattr(self, name) for name in self.__dataclass_fields__}
        path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        path.with_suffix(".md").write_text(self.text(), encoding="utf-8")

    def text(self) -> str:
        """Return the tables, in Markdown."""
        head = f"| problem | formulation | {' | '.join(STATUSES)} |\n|{' --- |' * (len(STATUSES) + 2)}\n"
        rows = [
            f"| {kind} | {name} | {' | '.join(f'{Counter(each)[status]:,}' for status in STATUSES)} |\n"
            for kind, names in self.counts.items()
            for name, each in names.items()
        ]
        reasons = [
            f"* {name}, {often:,}: {why}\n" for name, all_ in self.declined.items() for why, often in all_.items()
        ]
        wrong = [f"* {', '.join(one)}\n" for one in self.wrong] or ["* none\n"]
        return (
            f"# Solvers' tolerances\n\n{self.total:,} answers on the problems of seeds 0 to {self.seed - 1:,}, of "
            f"`python -m tests.formulations.tolerances`, by commit {', '.join(self.commits)}, with "
            f"{', '.join(f'{one} {version(one)}' for one in PACKAGES)}.\n\n{head}{''.join(rows)}\nDeclined:\n\n"
            f"{''.join(reasons) or '* none' + chr(10)}\nWrong:\n\n{''.join(wrong)}"
        )


def commit() -> str:
    """Return the checkout's commit, short; with + where files differ from it."""
    words = ["git", "describe", "--always", "--dirty=+", "--abbrev=7", "--exclude=*"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
