"""What plans of task graphs write besides numbers."""

from __future__ import annotations

from typing import Final

NOT_DONE: Final = "not done"
"""What plans write of a task of a group whose other is done."""
PERIOD: Final = "period"
"""The entry of plans that says how long a period is, which no task may have for a name."""
