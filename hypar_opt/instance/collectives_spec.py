"""What stands under `array.collectives`: by which algorithm the partial sums of levels are exchanged on the links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import Field

from hypar_opt.instance.fields import Name, Size, Spec
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

PAIRWISE: Final = "pairwise"
"""Every accelerator and its counterpart send each other what they have, along their routes."""
BEST: Final = "best"
"""Whichever takes least for the bytes at hand."""


class CollectivesSpec(Spec):
    """How partial sums are exchanged."""

    algorithm: Name = Field(
        PAIRWISE,
        description="pairwise, best, or a formulation that constructs schedules of all-reduces, such as ring: what "
        "comm-time counts of partial sums",
    )
    chunks: Size = Field(1, description="into how many an accelerator's part of a sum is cut, of schedules")
    levels: Literal["together", "each"] = Field(
        "together",
        description="whether all levels at which a layer has the same choice exchange as one group, or each level's "
        "pairs by themselves",
    )

    @property
    def scheduled(self) -> bool:
        """Whether there are schedules: of a pairwise exchange there are none."""
        return self.algorithm != PAIRWISE


def spelt_exchange(said: Any) -> Any:
    """Return what a file says of exchanges as the command line takes it, `ring,chunks=2`; all else as it is."""
    if not isinstance(said, Mapping):
        return said
    others = [f"{name}={one}" for name, one in said.items() if name != "algorithm"]
    return ",".join([str(said.get("algorithm", PAIRWISE)), *others])


def read_exchange(text: object) -> dict[str, object]:
    """Return what a file would say of exchanges that are given as `best`, or `ring,chunks=2,levels=each`.

    Raises
    ------
    InputError
        If it is no text, or what is behind the algorithm has no name, or one that is there already.
    """
    if not isinstance(text, str):
        raise InputError(f"expected text, for example ring,chunks=2, got {shown(text)}", field="--collectives")
    algorithm, *others = (part.strip() for part in text.split(","))
    found: dict[str, object] = {"algorithm": algorithm}
    for part in others:
        name, equals, value = part.partition("=")
        if not equals:
            expected = "expected one algorithm, then chunks=N or levels=each"
            raise InputError(f"{expected}, got {shown(part)}", field="--collectives")
        if name in found:
            raise InputError(f"expected {shown(name)} once, got it twice", field="--collectives")
        found[name] = int(value) if value.isdecimal() and value.isascii() and len(value) < 10 else value
    return found
