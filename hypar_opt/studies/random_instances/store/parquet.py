"""A campaign's rows in a folder of Parquet files: written beside and renamed, small ones merged, each row once."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.studies.random_instances.row import CampaignRow, RowChecker
from hypar_opt.studies.random_instances.store.aside import AsideChain, by_chain
from hypar_opt.studies.random_instances.store.chain_set import PAGE, ChainSet, in_all, pages_of
from hypar_opt.studies.random_instances.store.folder import (
    aside_entries,
    held_for,
    recorded,
    row_files,
    tidy,
    write_aside,
)
from hypar_opt.studies.random_instances.store.identity import CampaignIdentity, recorded_identity
from hypar_opt.studies.random_instances.store.row_files import (
    IN_PATH,
    RowFile,
    in_order,
    merge,
    number_of,
    read_chains,
    read_rows,
    write_rows,
)
from hypar_opt.util.errors import HyparError, InputError
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from hypar_opt.studies.random_instances.generator import Family
    from hypar_opt.studies.random_instances.measurement import Task


ROWS: Final = 100_000
"""Of a file that is merged with no other any more."""
SMALL_FILES: Final = 64
"""So many smaller files of an accounting, or so many with `ROWS` rows in them, are merged into one."""


class ParquetStore:
    """The rows of one family and one seed in a folder; a context manager.

    One process writes at a time. Rows of one accounting stand in `accounting=NAME/rows-NUMBER.parquet`, by chain.

    Parameters
    ----------
    folder
        Made where there is none.
    family, seed
        Whose rows; without them the folder is only read, and says itself whose rows it has.

    Raises
    ------
    InputError
        If the folder is another campaign's or something else, has a row that cannot be or a file that is damaged, or
        is written to by another process. It is left as it was.
    MissingPackage
        If pyarrow is not installed.
    """

    def __init__(self, folder: Path, family: Family | None = None, seed: int = 0) -> None:
        require("parquet")
        self.path = folder
        self._open = ExitStack()
        self._chains: dict[str, ChainSet] = {}
        self._files: dict[str, list[RowFile]] = {}
        self._writes, self._is_known = family is not None, False
        try:
            if family is None:
                self.identity = recorded_identity(recorded(folder), folder)
            else:
                self.identity = CampaignIdentity(family, seed)
                self._open.enter_context(held_for(folder, self.identity))
            self._checker = RowChecker(self.identity.family, self.identity.seed, folder)
            aside_entries(folder)
            self._look()
        except BaseException:
            self._open.close()
            raise

    def __enter__(self) -> ParquetStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._open:
            if self._writes and self._is_known and kind is None:
                for name in self._files:
                    self._merge(name, least=2)

    def add(self, rows: Sequence[CampaignRow]) -> None:
        """Write rows, those of an accounting all or none; those that are there already are compared with what is there.

        Raises
        ------
        HyparError
            If a row is there with other contents: it was made by another version, or something is not repeatable.
            Nothing is written then.
        """
        if not self._is_known:  # an error, or Ctrl-C in Python, came while something was written
            self._look()
        new = self._new(rows)
        self._is_known = False
        for name in dict.fromkeys(accounting for accounting, _ in new):
            sorted_rows = [new[key] for key in sorted(key for key in new if key[0] == name)]
            for start in range(0, len(sorted_rows), ROWS):
                self._write(name, sorted_rows[start : start + ROWS])
            self._merge(name, least=SMALL_FILES)
        self._is_known = True

    def _new(self, rows: Sequence[CampaignRow]) -> dict[tuple[str, int], CampaignRow]:
        """Return those of some rows that are not there, by accounting and chain."""
        new: dict[tuple[str, int], CampaignRow] = {}
        for row in rows:
            there = new.get((row.accounting, row.chain)) or self._found(row)
            if there is not None and there != row:
                raise HyparError(
                    f"{self.path}: chain {row.chain} under {row.accounting} is there with another result; "
                    "it was made by another version of hypar-opt. Start a new store"
                )
            if there is None:
                new[row.accounting, row.chain] = row
        return new

    def complete(self, count: int, accountings: Sequence[str]) -> int:
        """Return how many of the chains below a count have a row under each of some accountings."""
        sets = [self._chains[name] for name in accountings]
        end = min(count, *(one.end for one in sets))
        return sum(in_all(sets, number, end).bit_count() for number in pages_of(end))

    def missing(self, count: int, accountings: Sequence[str]) -> Iterator[Task]:
        """Yield the chains below a count that lack rows, with the accountings they lack; looked up as they are used."""
        for number in pages_of(count):
            there = {name: self._chains[name].page(number) for name in accountings}
            for place in range(min(PAGE, count - number * PAGE)):
                names = tuple(name for name, page in there.items() if not page >> place & 1)
                if names:
                    yield number * PAGE + place, names

    def rows(self, count: int, accounting: str) -> Iterator[CampaignRow]:
        """Yield an accounting's rows of the chains below a count, in order.

        Raises
        ------
        InputError
            If a row cannot be, or a file is damaged.
        """
        return map(self._checker.row, in_order(self._files[accounting], count))

    def extents(self) -> dict[str, int]:
        """Return by accounting that has rows, in the order of `ACCOUNTINGS`, one more than the last chain's index."""
        return {name: 1 + max(file.last for file in files) for name, files in self._files.items() if files}

    def put_aside(self, chain: int, accountings: Sequence[str], why: str) -> None:
        """Keep that a chain killed what measured it; rows that are added later make up for it."""
        write_aside(self.path, self._lacking() | {(name, chain): why for name in accountings})

    def aside(self, count: int, accountings: Sequence[str]) -> list[AsideChain]:
        """Return which chains below a count were put aside and lack rows under some of these accountings, by index.

        Raises
        ------
        InputError
            If the folder has what cannot be.
        """
        return by_chain(((*key, why) for key, why in self._lacking().items()), count, accountings)

    def _lacking(self) -> dict[tuple[str, int], str]:
        """Return what was set aside and has no row."""
        entries = aside_entries(self.path)
        return {(name, chain): why for (name, chain), why in entries.items() if chain not in self._chains[name]}

    def _look(self) -> None:
        """Take note of the rows there are; who writes looks at each of them, who reads does as they come."""
        self._chains = {name: ChainSet() for name in ACCOUNTINGS}
        self._files = {name: [] for name in ACCOUNTINGS}
        files = row_files(self.path, keep_below=0 if self._writes else ROWS)
        for opened in (file.opened for file in files if file.opened is not None):
            self._open.enter_context(opened)
        for file in files:
            name = file.accounting
            self._files[name].append(file)
            rows = (self._checker.row(values).chain for values in read_rows(file))
            for chain in rows if self._writes else read_chains(file):
                if not self._chains[name].add(chain):
                    message = f"chain {chain} under {name} is there twice; the store is damaged"
                    raise InputError(message, file=file.path)
        if self._writes:
            tidy(self.path, files)
        self._is_known = True

    def _found(self, row: CampaignRow) -> CampaignRow | None:
        """Return the row of the same chain and accounting."""
        if row.chain not in self._chains[row.accounting]:
            return None
        near = [file for file in self._files[row.accounting] if file.first <= row.chain <= file.last]
        rows = (self._checker.row(values) for file in near for values in read_rows(file, row.chain + 1))
        return next(one for one in rows if one.chain == row.chain)

    def _write(self, name: str, rows: Sequence[CampaignRow]) -> None:
        self._files[name].append(write_rows(self._next(name), [row.values() for row in rows]))
        for row in rows:
            self._chains[name].add(row.chain)

    def _merge(self, name: str, least: int) -> None:
        """Make one file of the small ones, where there are many, or many rows in them."""
        small = [file for file in self._files[name] if file.count < ROWS]
        if len(small) >= least or (len(small) > 1 and sum(file.count for file in small) >= ROWS):
            merged = merge(self._next(name), small)
            self._files[name] = [*(file for file in self._files[name] if file not in small), merged]

    def _next(self, name: str) -> Path:
        """Return the path of a new file, with a number above all in its folder."""
        folder = self.path / f"{IN_PATH}={name}"
        folder.mkdir(exist_ok=True)
        number = 1 + max((number_of(file.path) for file in self._files[name]), default=0)
        return folder / f"rows-{number:08}.parquet"
