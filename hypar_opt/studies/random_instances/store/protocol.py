"""What a campaign's store is, whatever keeps its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    from hypar_opt.studies.random_instances.measurement import Task
    from hypar_opt.studies.random_instances.row import CampaignRow
    from hypar_opt.studies.random_instances.store.aside import AsideChain
    from hypar_opt.studies.random_instances.store.identity import CampaignIdentity


class RowStore(Protocol):
    """The rows of one family and one seed; closed at the end of a `with` block."""

    identity: CampaignIdentity
    """Whose rows."""

    def __enter__(self) -> Self:
        """Return the store."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close it."""

    def add(self, rows: Sequence[CampaignRow]) -> None:
        """Write rows; those that are there already are compared with what is there."""

    def complete(self, count: int, accountings: Sequence[str]) -> int:
        """Return how many of the chains below a count have a row under each of some accountings."""

    def missing(self, count: int, accountings: Sequence[str]) -> Iterator[Task]:
        """Yield the chains below a count that lack rows, with the accountings they lack; looked up as they are used."""

    def rows(self, count: int, accounting: str) -> Iterator[CampaignRow]:
        """Yield an accounting's rows of the chains below a count, in order."""

    def extents(self) -> Mapping[str, int]:
        """Return by accounting that has rows, in the order of `ACCOUNTINGS`, one more than the last chain's index."""

    def put_aside(self, chain: int, accountings: Sequence[str], why: str) -> None:
        """Keep that a chain killed what measured it; rows that are added later make up for it."""

    def aside(self, count: int, accountings: Sequence[str]) -> list[AsideChain]:
        """Return which chains below a count were put aside and lack rows under some of these accountings, by index."""
