"""What the page has in tables, of the rows of the study."""

from __future__ import annotations

from statistics import median

from .study import PRIORITIES, PROPHETS, gain

RULES = (
    "fifo", "priority", "priority-chunks", "priority-tuned", "prophet", "prophet-chunks", "prophet-busy", "merged",
    "one-message", "whole",
)  # fmt: skip
MUCH = 0.4
"""The gain that is published."""


def shares(rows):
    """Return the start-ups of the study."""
    return sorted({row["start-up"] for row in rows})


def of_share(rows, share):
    """Return the rows of a start-up."""
    return [row for row in rows if row["start-up"] == share]


def ends(rows):
    """Return a row a rule: median and most of times the optimum, by start-up."""
    return [
        {
            "rule": rule,
            **{
                f"start-up {share}": f"{median(found):.3f}, {max(found):.2f}"
                for share in shares(rows)
                if (found := [float(row[rule]) for row in of_share(rows, share)])
            },
        }
        for rule in RULES
    ]


def optimal(rows):
    """Return a row a rule: on how many problems nothing ends earlier, by start-up."""
    return [
        {
            "rule": rule,
            **{
                f"start-up {share}": str(sum(row[rule] == 1 for row in of_share(rows, share))) for share in shares(rows)
            },
        }
        for rule in RULES
    ]


def gains(rows):
    """Return a row a start-up: how much earlier Prophet ends than priority does."""
    found = []
    for share in shares(rows):
        each = [
            (float(gain(row, PRIORITIES)), float(gain(row, ("priority-tuned",))), row) for row in of_share(rows, share)
        ]
        much = [row for _, tuned, row in each if tuned >= MUCH]
        found.append(
            {
                "start-up": str(share),
                "problems": str(len(each)),
                "Prophet is earlier": str(sum(tuned > 0 for _, tuned, _ in each)),
                "later": str(sum(tuned < 0 for _, tuned, _ in each)),
                "median": _percent(median(one[1] for one in each)),
                "most": _percent(max(one[1] for one in each)),
                "over 4 MB, most": _percent(max(one[0] for one in each)),
                "at least 40 %": str(len(much)),
                "of steps": str(len({row["step"] for row in much})),
            }
        )
    return found


def much(rows):
    """Return a row a step that Prophet has much to gain on: from which start-ups and loads on."""
    found = []
    for step in dict.fromkeys(row["step"] for row in rows):
        each = [row for row in rows if row["step"] == step and gain(row, ("priority-tuned",)) >= MUCH]
        if each:
            best = max(each, key=lambda row: gain(row, ("priority-tuned",)))
            found.append(
                {
                    "step": step,
                    "gradients": str(best["gradients"]),
                    "problems": str(len(each)),
                    "start-ups from": str(min(row["start-up"] for row in each)),
                    "loads": f"{min(row['load'] for row in each)} to {max(row['load'] for row in each)}",
                    "all start-ups from": _percent(min(float(row["start-ups"]) for row in each)),
                    "most": _percent(float(gain(best, ("priority-tuned",)))),
                    "and above the optimum": _percent(float(min(best[name] for name in PROPHETS)) - 1),
                    "merged is": _percent(float(best["merged"]) - 1),
                }
            )
    return found


def steps(rows):
    """Return a row a step: what all loads and start-ups have in common, and the worst of Prophet's."""
    return [
        {
            "step": name,
            "gradients": str(each[0]["gradients"]),
            **{
                rule: f"{median(map(float, found)):.3f}, {max(map(float, found)):.2f}"
                for rule, found in by_rule.items()
            },
        }
        for name in dict.fromkeys(row["step"] for row in rows)
        if (each := [row for row in rows if row["step"] == name])
        and (by_rule := {rule: [row[rule] for row in each] for rule in ("priority-tuned", *PROPHETS, "whole")})
    ]


def _percent(share):
    return f"{round(100 * share, 1) + 0:.1f} %"
