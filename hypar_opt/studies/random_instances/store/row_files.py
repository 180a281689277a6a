"""Parquet files of rows of one accounting, each in the order of its chains: read, written and merged."""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.studies.random_instances.row import COLUMNS
from hypar_opt.util.errors import InputError
from hypar_opt.util.files import atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa


Values = tuple[Any, ...]
"""Of a row, in the order of `COLUMNS`."""
IN_PATH: Final = "accounting"
"""The column that stands in a file's path instead, as `accounting=NAME`."""
STORED: Final = tuple(name for name in COLUMNS if name != IN_PATH)
INTEGERS: Final = ("seed", "chain", "layers", "levels", "batch")
NUMBERS: Final = ("gap_float",)
REPLACES: Final = b"hypar-opt.replaces"
"""Of a file's metadata: the names of the files that it was merged of, which count no more."""
NAME: Final = re.compile(r"rows-(\d{8,})\.parquet")
AT_A_TIME: Final = 4096
"""Rows of one file that are in memory while it is read."""
GROUP: Final = 16_384
"""Rows that are compressed together."""


@dataclass(frozen=True)
class RowFile:
    """A file of rows.

    Parameters
    ----------
    path
        Of a name as `rows-00000001.parquet`, in a folder as `accounting=published`.
    count
        Of its rows.
    first, last
        Its least and its largest chain.
    replaces
        Names of files beside it that it was merged of.
    opened
        Through which it is read; None to open it when it is.
    """

    path: Path
    count: int
    first: int
    last: int
    replaces: tuple[str, ...] = ()
    opened: pa.NativeFile | None = field(default=None, compare=False)

    @property
    def accounting(self) -> str:
        """Of all of its rows."""
        return self.path.parent.name.removeprefix(f"{IN_PATH}=")

    @property
    def source(self) -> Path | pa.NativeFile:
        """What Arrow reads."""
        return self.path if self.opened is None else self.opened


class MergedMeanwhile(InputError):
    """A file is there no more: whoever writes has merged it with others since the folder was listed."""


def number_of(path: Path) -> int:
    """Return a file's number; each file has a higher one than those before it in its folder."""
    found = NAME.fullmatch(path.name)
    if found is None:
        message = "expected files of a campaign, as rows-00000001.parquet"
        raise InputError(f"is no file that a campaign has written; {message}", file=path)
    return int(found[1])


def schema() -> pa.Schema:
    """Return the columns of all files, with their types."""
    import pyarrow as pa

    kinds = dict.fromkeys(INTEGERS, pa.int64()) | dict.fromkeys(NUMBERS, pa.float64())
    return pa.schema([pa.field(name, kinds.get(name, pa.string())) for name in STORED])


def describe(path: Path, *, keep_below: int = 0) -> RowFile:
    """Return a file by what stands at its end, without its rows.

    Parameters
    ----------
    keep_below
        Hold on to a file of fewer rows: it can be read then even if it is merged with others meanwhile.

    Raises
    ------
    InputError
        If it is no Parquet file, or has other columns than a campaign's.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _explained(path):
        opened = pa.OSFile(str(path))
        found = pq.read_metadata(opened)
        if found.num_rows >= keep_below:
            opened.close()
        there, wanted = found.schema.to_arrow_schema(), schema()
        if not there.equals(wanted):
            shown = ", ".join(f"{one.name} {one.type}" for one in there)
            expected = ", ".join(f"{one.name} {one.type}" for one in wanted)
            raise InputError(f"has other columns than a campaign's: expected {expected}; got {shown:.500}", file=path)
        place = STORED.index("chain")
        ends = [found.row_group(n).column(place).statistics for n in range(found.num_row_groups)]
        if not ends or any(one is None or not one.has_min_max for one in ends):
            raise InputError("has no rows, or does not say which chains are in it", file=path)
        replaced = json.loads((found.metadata or {}).get(REPLACES, b"[]"))
        first, last = min(one.min for one in ends), max(one.max for one in ends)
        return RowFile(path, found.num_rows, first, last, tuple(map(str, replaced)), None if opened.closed else opened)


def read_rows(file: RowFile, below: int | None = None) -> Iterator[Values]:
    """Yield the values of a file's rows in order, of the chains below an index.

    Raises
    ------
    InputError
        If it is damaged, or its chains do not rise.
    """
    import pyarrow.parquet as pq

    place, last, accounting = STORED.index("chain"), -1, file.accounting
    with _explained(file.path), pq.ParquetFile(file.source) as opened:
        for batch in opened.iter_batches(AT_A_TIME, use_threads=False):
            for stored in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                chain = stored[place]
                if not isinstance(chain, int) or chain <= last:
                    raise InputError(f"chain {chain!r:.30} stands behind {last}; the file is damaged", file=file.path)
                if below is not None and chain >= below:
                    return
                last = chain
                yield *stored[:ACCOUNTING_AT], accounting, *stored[ACCOUNTING_AT:]


def read_chains(file: RowFile) -> Iterator[int]:
    """Yield the chains of a file's rows.

    Raises
    ------
    InputError
        If it is damaged.
    """
    import pyarrow.parquet as pq

    with _explained(file.path), pq.ParquetFile(file.source) as opened:
        for batch in opened.iter_batches(columns=["chain"], use_threads=False):
            for chain in batch.column(0).to_pylist():
                if chain is None:
                    raise InputError("a row does not say its chain; the file is damaged", file=file.path)
                yield chain


ACCOUNTING_AT: Final = COLUMNS.index(IN_PATH)


def in_order(files: Sequence[RowFile], below: int) -> Iterator[Values]:
    """Yield the values of the rows of several files by rising chain; a file is opened when its first row is due."""
    place = COLUMNS.index("chain")
    waiting = sorted((one for one in files if one.first < below), key=lambda one: one.first, reverse=True)
    heads: list[tuple[int, int, Values, Iterator[Values]]] = []

    def push(number: int, rows: Iterator[Values]) -> None:
        values = next(rows, None)
        if values is not None:
            heappush(heads, (values[place], number, values, rows))

    while heads or waiting:
        while waiting and (not heads or waiting[-1].first <= heads[0][0]):
            push(len(waiting), read_rows(waiting.pop(), below))
        if heads:
            _, number, values, rows = heappop(heads)
            yield values
            push(number, rows)


def write_rows(path: Path, rows: Iterable[Values]) -> RowFile:
    """Write rows, whose chains rise, as a new file, in one step."""
    import pyarrow as pa

    columns = [column for name, column in zip(COLUMNS, zip(*rows, strict=True), strict=True) if name != IN_PATH]
    return _write(path, pa.table(list(map(list, columns)), schema=schema()), ())


def merge(path: Path, files: Sequence[RowFile]) -> RowFile:
    """Write one file of what is in several, and remove these; after a kill in between it says which count no more."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts = []
    for one in files:
        with _explained(one.path):
            parts.append(pq.read_table(one.path, partitioning=None))
    table = pa.concat_tables(parts).replace_schema_metadata().sort_by("chain")
    found = _write(path, table, tuple(one.path.name for one in files))
    for one in files:
        one.path.unlink(missing_ok=True)
    return found


def _write(path: Path, table: pa.Table, replaces: Sequence[str]) -> RowFile:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    ends = pc.min_max(table["chain"]).as_py()
    with atomically(path) as stream:
        named = table.replace_schema_metadata({REPLACES: json.dumps(list(replaces)).encode()})
        pq.write_table(named, stream, row_group_size=GROUP, compression="zstd")
        stream.flush()
        os.fsync(stream.fileno())  # what it is merged of is removed next
    return RowFile(path, table.num_rows, ends["min"], ends["max"], tuple(replaces))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say which file an error of reading is about."""
    from pyarrow import ArrowException

    try:
        yield
    except FileNotFoundError:
        raise MergedMeanwhile("is there no more; whoever writes to the folder has merged it", file=path) from None
    except (ArrowException, OSError, ValueError, RecursionError) as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"is no Parquet file, or a damaged one: {first:.200}", file=path) from None
