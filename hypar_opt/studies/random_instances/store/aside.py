"""Chains that were set aside, as stores keep them: of each what killed its workers, until it has rows after all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.studies.random_instances.row import MOST_CHAINS
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from pathlib import Path

Entry: TypeAlias = "tuple[str, int, str]"
"""An accounting, a chain, and what became of its workers."""
EXPECTED: Final = "expected an accounting, a chain and why it was set aside"


@dataclass(frozen=True)
class AsideChain:
    """A chain that lacks rows as it killed what measured it.

    Parameters
    ----------
    chain
        Its index.
    accountings
        Under which it lacks rows, in the order of `ACCOUNTINGS`.
    why
        What became of the workers.
    """

    chain: int
    accountings: tuple[str, ...]
    why: str


def checked(entry: object, file: Path | None) -> Entry:
    """Return an entry of a store.

    Raises
    ------
    InputError
        If it cannot be one: the store is damaged.
    """
    match entry:
        case [str(accounting), int(chain), str(why)] if accounting in ACCOUNTINGS and 0 <= chain < MOST_CHAINS and why:
            return accounting, chain, why
    raise InputError(f"{EXPECTED}, got {entry!r:.200}; the store is damaged", file=file)


def by_chain(entries: Iterable[Entry], count: int, accountings: Container[str]) -> list[AsideChain]:
    """Return the chains below a count that are set aside under some accountings, by index."""
    found: dict[tuple[int, str], list[str]] = {}
    for accounting, chain, why in entries:
        if chain < count and accounting in accountings:
            found.setdefault((chain, why), []).append(accounting)
    order = [*ACCOUNTINGS].index
    return [AsideChain(chain, tuple(sorted(names, key=order)), why) for (chain, why), names in sorted(found.items())]
