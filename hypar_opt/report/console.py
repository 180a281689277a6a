"""The terminal, or what stands for it, and tables on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_count
from hypar_opt.report.tables import Column, Entry, Table, TableDocument, TableFormat, text_table
from hypar_opt.report.tables.displayed import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    Cell = Callable[[Column, Entry], str | Text]


UNLIMITED = 10**5
FILE_WIDTH = 200
"""Columns where the output is not a terminal: nothing is cut, whatever reads it can fold."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that takes text as it is, brackets and colons included, and cuts nothing in a file."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            """Leave it to the command line, which exits with its own code."""
            raise BrokenPipeError

    found = Plain(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not found.is_terminal:
        found.width = FILE_WIDTH
    return found


def fits(console: Console, table: RichTable) -> bool:
    """Return whether a table can be shown without cutting what must not be folded."""
    from rich.measure import Measurement

    return Measurement.get(console, console.options.update(width=UNLIMITED), table).minimum <= console.width


NARROWEST = 30
"""Columns that running text is given at the least."""
SUMMARY: Final = "summary"
"""The column of running text."""


def show(console: Console, rows: Sequence[dict[str, Any]]) -> None:
    """Print rows; where the terminal is too narrow, without the columns to the right, and say so.

    The first column stays, and beside it a summary, which says what a name means, wherever the two have room.
    """
    names = list(rows[0])
    kept = {names[0], SUMMARY} & set(names)
    if not fits(console, _table(rows, [name for name in names if name in kept])):
        kept.discard(SUMMARY)
    hidden: list[str] = []
    while len(names) > len(kept) and not fits(console, _table(rows, names)):
        last = next(name for name in reversed(names) if name not in kept)
        names.remove(last)
        hidden.insert(0, last)
    console.print(_table(rows, names))
    _say_hidden(console, hidden)


def show_folded(console: Console, rows: Sequence[dict[str, Any]], least: Sequence[str] = ()) -> None:
    """Print rows; where the terminal is too narrow, the columns to the right below, beside what tells the rows apart.

    Parameters
    ----------
    least
        Columns that a narrow terminal goes without before any are folded, which is said.
    """
    names, hidden = list(rows[0]), list[str]()
    for name in least:
        if name in names and not fits(console, _table(rows, names)):
            names.remove(name)
            hidden.append(name)
    keys = [name for place, name in enumerate(names) if not name or not place]
    others = [name for name in names if name not in keys]
    while others:
        count = len(others)
        while count > 1 and not fits(console, _table(rows, [*keys, *others[:count]])):
            count -= 1
        console.print(_table(rows, [*keys, *others[:count]]))
        others = others[count:]
        if others:
            console.print()
            more = _telling_apart(rows, names[: names.index(others[0])], keys)
            keys = more if fits(console, _table(rows, [*more, others[0]])) else keys
    _say_hidden(console, hidden)


def _telling_apart(rows: Sequence[dict[str, Any]], shown: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Return the keys, and of the columns shown so far those without which rows would look alike."""

    def kinds(names: Sequence[str]) -> int:
        return len({tuple(row[name] for name in names) for row in rows})

    needed = list(shown) if kinds(keys) < kinds(shown) else list(keys)
    for name in shown:
        fewer = [one for one in needed if one != name]
        if name not in keys and kinds(fewer) == kinds(needed):
            needed = fewer
    return needed


def _say_hidden(console: Console, hidden: Sequence[str]) -> None:
    if hidden:
        console.print(f"(too narrow for: {', '.join(hidden)}; --json has all)")


def _table(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> RichTable:
    table = text_table([{name: row[name] for name in names} for row in rows])
    options = {
        name: {"min_width": NARROWEST}
        if name == SUMMARY
        else {"no_wrap": True, "min_width": max(map(len, (name, *(_text(row[name]) for row in rows))))}
        for name in names
    }
    return terminal_table(table, cell=lambda _, entry: _text(entry.value), options=options)


def _text(value: object) -> str:
    return in_count(value) if isinstance(value, int) else str(value)


def marked(column: Column, entry: Entry) -> str:
    """Return what is shown of an entry, with its mark."""
    return shown(column, entry) + entry.mark


def terminal_table(
    table: Table,
    *,
    cell: Cell = marked,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    **settings: Any,
) -> RichTable:
    """Return a table for rich's console.

    Parameters
    ----------
    cell
        What is shown of an entry, with its style.
    options
        By column, how it is folded: of `rich.table.Table.add_column`.
    settings
        Of `rich.table.Table`.
    """
    from rich.table import Table as RichTable

    made = RichTable(**{"box": None, "pad_edge": False, "header_style": "bold", **settings})
    columns = table.columns_of("terminal")
    for column in columns:
        heading = f"{column.heading} ({column.unit})" if column.unit else column.heading
        side = column.align or ("right" if table.is_numeric(column) else "left")
        made.add_column(heading, **{"justify": side, **(options or {}).get(column.key, {})})
    for row in table.rows:
        made.add_row(*(cell(column, row[column.key]) for column in columns))
    return made


def _written(document: TableDocument) -> str:
    """Return the tables for people as the terminal shows them where nothing is cut."""
    screen = console()
    screen.width = UNLIMITED
    with screen.capture() as caught:
        for table in document.tables:
            screen.print(terminal_table(table))
    return caught.get()


FORMAT: Final = TableFormat("terminal", "", _written)
