"""The files of a job's folder."""

from __future__ import annotations

from typing import Final

INSTANCE: Final = "instance.yaml"
"""What the client gave, or a shipped instance's text."""
START: Final = "start.json"
"""A plan to start from, where there is one."""
JOB: Final = "job.json"
"""What is wanted, and the limits."""
EVENTS: Final = "events.jsonl"
"""What the worker tells on the way."""
OUTCOME: Final = "outcome.json"
"""What came of it; written last."""
PICTURE: Final = "picture.json"
"""The plan's figure."""
PLAN: Final = "plan.json"
CERTIFICATE: Final = "plan.cert"
REPORT: Final = "report"
"""A folder."""
ERRORS: Final = "errors.txt"
"""The worker's standard error."""


def plan_of(position: int) -> str:
    """Return the file of one formulation's plan, where several are compared."""
    return f"plan-{position + 1}.json"
