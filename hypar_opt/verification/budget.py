"""How evidence is looked for."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.formulation.run import Listener

SEARCH_S: Final = 12.0
"""How long strategy graphs are searched where no deadline is given: they can keep any solver busy for ever."""


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

    @property
    def limited(self) -> Search:
        """The same with a deadline, `SEARCH_S` from now if there is none yet."""
        if self.limits.deadline is not None:
            return self
        return replace(self, limits=replace(self.limits, deadline=time.monotonic() + SEARCH_S))
