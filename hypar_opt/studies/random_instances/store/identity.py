"""Which campaign a store is of: the family, the seed, and the format of its rows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.studies.random_instances.generator import FAMILIES, Family
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


FORMAT: Final = "hypar-opt/campaign/1"
"""Changes with the rows' fields, with what they mean, and with how chains are drawn."""
MOST_SEED: Final = 2**31 - 1


@dataclass(frozen=True)
class CampaignIdentity:
    """Whose rows a store has.

    Parameters
    ----------
    family, seed
        What chains are drawn from.
    """

    family: Family
    seed: int

    def fields(self) -> dict[str, str]:
        """Return what a store says of itself, as text by name."""
        return {"format": FORMAT, "family": json.dumps(self.family.document()), "seed": str(self.seed)}

    def check(self, there: Mapping[str, object], file: Path | None) -> None:
        """Find out whether a store is of this campaign.

        Raises
        ------
        InputError
            If it is not: names the field, and what differs.
        """
        for field, value in self.fields().items():
            if there.get(field) != value:
                message = f"holds another campaign: {difference(there.get(field), value)}; name another file"
                raise InputError(message, file=file, field=field)


def recorded_identity(there: Mapping[str, object], file: Path | None) -> CampaignIdentity:
    """Return the campaign that a store says it is of.

    Raises
    ------
    InputError
        If it says none, or one of another format: names the field, and what was expected.
    """
    if there.get("format") != FORMAT:
        message = f"expected {FORMAT}, got {there.get('format')!s:.100}; another version of hypar-opt wrote it"
        raise InputError(message, file=file, field="format")
    family, seed = _loaded(there.get("family")), _loaded(there.get("seed"))
    if type(seed) is not int or not 0 <= seed <= MOST_SEED:
        raise InputError(f"expected a number from 0 to {MOST_SEED:,}, got {seed!r:.100}", file=file, field="seed")
    return CampaignIdentity(_family(family, file), seed)


def _family(found: Any, file: Path | None) -> Family:
    """Return the family of a document; a preset where it is one."""
    expected = FAMILIES["chains"].document()
    if not isinstance(found, dict) or set(found) != set(expected):
        message = f"expected an object with {', '.join(expected)}, got {found!r:.100}"
        raise InputError(message, file=file, field="family")
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    try:
        preset = FAMILIES.get(found["name"]) if isinstance(found["name"], str) else None
        made = Family(summary="" if preset is None else preset.summary, **fields)
    except InputError as error:
        raise InputError(str(error), file=file, field="family") from None
    return next((one for one in FAMILIES.values() if one.document() == made.document()), made)


def difference(there: object, wanted: str) -> str:
    """Return what differs in what a store says of itself, field by field where both are mappings."""
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
