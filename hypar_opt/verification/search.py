"""How evidence is looked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypar_opt.run import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.run import Listener


@dataclass(frozen=True)
class Search:
    """How evidence is looked for.

    Parameters
    ----------
    limits
        Of the search for a proof or a better plan.
    certificate
        Evidence that came with the plan; some is made anew where there is none.
    listener
        Hears the search's events.
    """

    limits: Limits = field(default_factory=Limits)
    certificate: Path | None = None
    listener: Listener | None = None
