"""Kinds of accelerators under `array.accelerators:`, and how they fill the leaves of the partition."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator

from hypar_opt.instance.accelerator_schema import AcceleratorSpec
from hypar_opt.instance.fields import POSITIVE_SCHEMA, Given, Name, Number, Size, Spec, positive, refusal
from hypar_opt.instance.limits import MOST_KINDS, MOST_MIXED_LEVELS
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NUMBER_TAG: Final = "[number]"
KINDS_TAG: Final = "[kinds]"
TAGS: Final = (NUMBER_TAG, KINDS_TAG)
"""What the two ways to say which accelerators there are call themselves in pydantic's paths, and no field is called."""
NOT_OF_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "link": "a kind says at which bandwidth its accelerators read, and links have none",
        "accelerator": "every kind has an accelerator of its own",
        "placement": "kinds stand on the leaves in order",
        "graph": "kinds stand on the leaves of the partition, not on nodes",
    }
)
"""By field of an array, why one of several kinds has no such field."""
_BITS: Final = re.compile("[01]*")
_ALL: Final = ("root", "")
"""How the group of all leaves is addressed."""
_Groups: TypeAlias = Annotated[tuple[str, ...], Field(strict=False, min_length=1, max_length=2**MOST_MIXED_LEVELS)]


class KindSpec(Spec):
    """Accelerators that are alike, and which leaves of the partition they are."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["count"]}, {"required": ["groups"]}]})

    kind: Name = Field(description="what tables call them")
    count: Annotated[Size | None, Given] = Field(
        None, description="how many: they take the next leaves, in order, that no kind has by its groups"
    )
    groups: Annotated[_Groups | None, Given] = Field(
        None, description="instead of a count the groups that they fill, by their addresses: bits from the root"
    )
    bandwidth: Annotated[Number, positive("bandwidth"), POSITIVE_SCHEMA] = Field(
        description="bytes a second at which one of them reads what others hold"
    )
    accelerator: AcceleratorSpec = Field(description="what one of them can do")

    @model_validator(mode="after")
    def _stands_somewhere(self) -> KindSpec:
        if (self.count is None) == (self.groups is None):
            got = "neither" if self.count is None else "both"
            raise refusal(f"expected a count or groups, got {got}", at="count" if self.count is None else "groups")
        return self


def _way(value: object) -> str:
    return KINDS_TAG if isinstance(value, list | tuple) else NUMBER_TAG


Kinds: TypeAlias = Annotated[tuple[KindSpec, ...], Field(strict=False, min_length=1, max_length=MOST_KINDS)]
Accelerators: TypeAlias = Annotated[
    Annotated[Size, Tag(NUMBER_TAG)] | Annotated[Kinds, Tag(KINDS_TAG)], Discriminator(_way)
]
"""How many accelerators there are; or their kinds."""


class KindsMisfit(NamedTuple):
    """Why kinds do not fill the leaves: where in the array, and what is wrong."""

    path: FieldPath
    message: str


def types_of(kinds: Sequence[KindSpec], levels: int) -> tuple[int, ...] | KindsMisfit:
    """Return by leaf the position of its kind; or why the kinds do not fill the leaves, once each."""
    if levels > MOST_MIXED_LEVELS:
        most = f"expected at most {MOST_MIXED_LEVELS} levels where accelerators are of several kinds"
        return KindsMisfit(("levels",), f"{most}, got {levels}")
    leaves: list[int | None] = [None] * 2**levels
    misfit = _by_groups(kinds, levels, leaves) or _by_counts(kinds, levels, leaves)
    if misfit is not None:
        return misfit
    return tuple(kind for kind in leaves if kind is not None)


def _by_groups(kinds: Sequence[KindSpec], levels: int, leaves: list[int | None]) -> KindsMisfit | None:
    """Give every kind with groups the leaves of these."""
    for place, kind in enumerate(kinds):
        for number, said in enumerate(kind.groups or ()):
            at = ("accelerators", place, "groups", number)
            address = "" if said in _ALL else said
            if not _BITS.fullmatch(address) or len(address) > levels:
                known = list(_addresses(levels)) if levels <= 4 else []  # the nearest of a few
                hint = did_you_mean(said, known)
                return KindsMisfit(at, f"expected a group: root, or at most {levels} bits, got {shown(said)}{hint}")
            size = 2 ** (levels - len(address))
            first = int(address, 2) * size if address else 0
            taken = next((leaf for leaf in range(first, first + size) if leaves[leaf] is not None), None)
            if taken is not None:
                other = kinds[leaves[taken] or 0].kind
                whose = "twice" if leaves[taken] == place else f"to {shown(other)} already"
                return KindsMisfit(
                    at, f"expected every leaf once, and leaf {taken} of group {shown(said)} is given {whose}"
                )
            leaves[first : first + size] = [place] * size
    return None


def _addresses(levels: int) -> Iterator[str]:
    yield "root"
    for length in range(1, levels + 1):
        yield from (f"{number:0{length}b}" for number in range(2**length))


def _by_counts(kinds: Sequence[KindSpec], levels: int, leaves: list[int | None]) -> KindsMisfit | None:
    """Give every kind with a count the next leaves that are free."""
    free = [leaf for leaf, kind in enumerate(leaves) if kind is None]
    wanted = sum(kind.count or 0 for kind in kinds)
    if wanted != len(free):
        counts = ", ".join(f"{kind.count:,} {kind.kind}" for kind in kinds if kind.count is not None)
        beside = " beside those of groups" if len(free) < len(leaves) else ""
        got = f"{wanted:,} ({counts})" if wanted else "none"
        many = f"{len(free):,} accelerator{'' if len(free) == 1 else 's'}"
        expected = f"expected {many}{beside}, one for every leaf of {levels} level{'' if levels == 1 else 's'}"
        return KindsMisfit(("accelerators",), f"{expected}, got {got}")
    for place, kind in enumerate(kinds):
        for leaf in free[: kind.count or 0]:
            leaves[leaf] = place
        del free[: kind.count or 0]
    return None
