"""The kinds of stores there are, and which one a path is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.random_instances.store.parquet import ParquetStore
from hypar_opt.studies.random_instances.store.sqlite import CampaignStore
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hypar_opt.studies.random_instances.generator import Family
    from hypar_opt.studies.random_instances.store.protocol import RowStore


SUFFIX: Final = ".parquet"


@dataclass(frozen=True)
class StoreKind:
    """A way to keep rows.

    Parameters
    ----------
    name
        For tables.
    suits
        Whether a path is of this kind.
    open
        Opens it: with a family and a seed to write, without only to read.
    """

    name: str
    suits: Callable[[Path], bool]
    open: Callable[..., RowStore]


def _is_folder(path: Path) -> bool:
    return path.is_dir() or (path.suffix == SUFFIX and not path.exists())


STORE_KINDS: Final = (
    StoreKind("Parquet", _is_folder, ParquetStore),
    StoreKind("SQLite", lambda path: True, CampaignStore),
)
"""The first that suits a path is its kind: a folder, or a new name that ends in `.parquet`; any other file."""


def open_store(path: Path | None, family: Family, seed: int) -> RowStore:
    """Open a store to write to, made where there is none; see its class for errors.

    Parameters
    ----------
    path
        None to keep the rows in memory.
    """
    return CampaignStore(None, family, seed) if path is None else _kind(path).open(path, family, seed)


def check_store(path: Path, family: Family, seed: int) -> None:
    """Find out before the work whether a campaign may write to a store that is there; see its class for errors."""
    if path.exists() and not _is_empty(path):  # which would become a store, whether the work begins or not
        with open_store(path, family, seed):
            pass


def _is_empty(path: Path) -> bool:
    return not any(path.iterdir()) if path.is_dir() else not path.stat().st_size


def open_recorded(path: Path) -> RowStore:
    """Open a store that is there, only to read it; its `identity` says whose rows it has.

    Raises
    ------
    InputError
        If there is none, or it is not a campaign's.
    """
    check_there(path)
    return _kind(path).open(path)


def check_there(path: Path) -> None:
    """Find out whether there is something that may be a store.

    Raises
    ------
    InputError
        If there is nothing.
    """
    if not path.exists():
        raise InputError("is not there, expected a campaign's store: a folder of Parquet or an SQLite file", file=path)


def _kind(path: Path) -> StoreKind:
    return next(kind for kind in STORE_KINDS if kind.suits(path))
