"""What a store's database looks like, and how it says whose rows it has."""

from __future__ import annotations

import json
from typing import Any, Final

FORMAT: Final = "hypar-opt/campaign/1"
"""Changes with the rows' fields, with what they mean, and with how chains are drawn."""
TABLES: Final = (
    "CREATE TABLE campaign (field TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE rows (
        family TEXT NOT NULL, seed INTEGER NOT NULL, chain INTEGER NOT NULL, accounting TEXT NOT NULL,
        layers INTEGER NOT NULL, levels INTEGER NOT NULL, batch INTEGER NOT NULL, choices TEXT NOT NULL,
        sha256 TEXT NOT NULL, greedy_status TEXT NOT NULL, optimum_status TEXT NOT NULL,
        greedy TEXT, optimum TEXT, gap TEXT, gap_float REAL, published_plan TEXT,
        PRIMARY KEY (accounting, chain))""",
)


def difference(there: object, wanted: str) -> str:
    """Return what differs in a value of the table `campaign`, field by field where both are mappings."""
    if there is None:
        return f"it does not say its own, expected {wanted}"
    old, new = _loaded(there), _loaded(wanted)
    if not isinstance(old, dict) or not isinstance(new, dict):
        return f"its is {there!s:.200}, this one's {wanted}"
    fields = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return ", ".join(f"its {name} is {old.get(name)}, this one's {new.get(name)}" for name in fields)


def _loaded(text: object) -> Any:
    """Return what JSON text says, or None where it is none."""
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
