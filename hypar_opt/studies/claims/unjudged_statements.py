"""Claims that nothing here can recompute: listed, so that what is not judged is seen, each with why."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from hypar_opt.studies.claims.statement_parts import Statement, Text


class Unjudged(Statement):
    """A claim that is listed with the reason why it is not judged."""

    of_instances: ClassVar[bool] = False
    why: Text = Field(description="one sentence")

    @property
    def says(self) -> str:
        """What is printed stands in the claim's own words."""
        return "-"


class NotReproducible(Unjudged):
    """It could be judged if something were known that the source does not say: data, or a measurement."""


class OutOfScope(Unjudged):
    """It has no content that an exact optimiser could recompute."""
