"""What can go wrong: every error that this package raises on purpose."""

from __future__ import annotations

import copyreg
import re
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path
    from typing import Self

LONGEST_WORD: Final = 1_000
"""Characters of a word of a message, which may be the name of a file."""
LONGEST_TEXT: Final = 3_000
"""Characters of a message."""
LONG_WORD: Final = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


class HyparError(Exception):
    """The base of all errors of this package; its text is one paragraph for the user, of a size that can be read."""

    def __reduce__(self) -> tuple[Any, ...]:
        # what made the error takes other arguments than its text: whoever brings it back goes by its attributes alone
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]  # not in typeshed

    def __str__(self) -> str:
        return readable(super().__str__())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class InputError(HyparError):
    """Something that the user gave is wrong.

    Parameters
    ----------
    message
        What was expected and what was found.
    file
        The file that is wrong, if it is a file.
    line
        The line of `file`, counted from 1.
    field
        The field, as in `network.layers[3].conv.kernel`, or the option, as in `--batch`.
    """

    def __init__(
        self,
        message: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.field = field
        self.alone = message
        """The message without what it says of others."""
        self.later = ""
        """What is looked at only when these errors are gone; nothing where all was looked at."""
        self.count = 1
        """How many errors there are with the others."""
        self._others: Callable[[], Iterable[InputError]] = tuple

    @property
    def others(self) -> tuple[InputError, ...]:
        """What else is wrong beside this, each with its place; found out when it is asked for."""
        return tuple(self._others())

    def beside(
        self, others: Callable[[], Iterable[InputError]], count: int, *, alone: str | None = None, later: str = ""
    ) -> Self:
        """Return the error, which now knows the others.

        Parameters
        ----------
        others
            Returns them.
        count
            How many those are.
        alone
            The message without them, if it has more.
        later
            What is looked at only when all of them are gone.
        """
        self._others, self.count, self.later = others, 1 + count, later
        self.alone = self.message if alone is None else alone
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        rebuilt, arguments, state = super().__reduce__()
        return rebuilt, arguments, {**state, "_others": partial(tuple, self.others)}

    def __str__(self) -> str:
        place = None if self.file is None else f"{self.file}" + ("" if self.line is None else f":{self.line}")
        return readable(": ".join(part for part in (place, self.field, self.message) if part))


class NetworkError(HyparError):
    """A network that cannot be: wrong names, a cycle, shapes that do not fit.

    Parameters
    ----------
    message
        What is wrong.
    layer
        The name of the offending layer, if there is one.
    field
        Where in the layer's entry of an instance file, if one field is to blame.

    Attributes
    ----------
    others
        What else is wrong with the network, as far as it can be told.
    """

    def __init__(self, message: str, layer: str | None = None, field: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.layer = layer
        self.field = field
        self.others: tuple[NetworkError, ...] = ()

    def __str__(self) -> str:
        return readable(self.message if self.layer is None else f"layer '{self.layer}': {self.message}")


class MachineError(HyparError):
    """An array that cannot be: links that join nothing, no bandwidth, parts that are not connected.

    Parameters
    ----------
    message
        What is wrong.
    link
        The position of the offending link, if there is one.
    node
        The position of the offending node of a custom graph, if there is one.
    field
        The field of it, or of the array.
    """

    def __init__(self, message: str, *, link: int | None = None, node: int | None = None, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.link = link
        self.node = node
        self.field = field

    @property
    def place(self) -> str:
        """The field of the array that is to blame, as in `links[3].bandwidth`."""
        link = "" if self.link is None else f"links[{self.link}]"
        node = "" if self.node is None else f"nodes[{self.node}]"
        return ".".join(part for part in (link, node, self.field) if part)

    def __str__(self) -> str:
        return readable(f"array{self.place and '.'}{self.place}: {self.message}")


class Refusal(HyparError):
    """A formulation declines an instance, by its size or its kind; the message names the alternative."""


class MissingPackage(HyparError, ModuleNotFoundError):
    """A package of an extra is needed and not installed; the message has the command that installs it."""


class RecomputationError(HyparError, ArithmeticError):
    """What a search says does not stand up to recomputation by code that shares nothing with it."""


def printable(text: str) -> str:
    """Return the text with unprintable characters, line breaks among them, as escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def readable(text: str) -> str:
    """Return the text in printable characters, without the middle of a word, or of all, that is too long to be read."""
    if len(text) <= LONGEST_WORD:
        return printable(text)
    return printable(_without_middle(LONG_WORD.sub(lambda found: _without_middle(found[0], LONGEST_WORD, 60), text)))


def _without_middle(text: str, longest: int = LONGEST_TEXT, end: int = LONGEST_TEXT // 3) -> str:
    return text if len(text) <= longest else f"{text[:end]}...{text[-end:]}"


MOST_COMPARED: Final = 4096
"""Known names among which the nearest one to a wrong name is looked for: more would take long."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'batch'?` with the nearest known name, or nothing if none is near."""
    near = get_close_matches(name[:100], known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def nearest(name: str, known: Collection[str]) -> str:
    """Return `did_you_mean`, or nothing where very many names are known."""
    return did_you_mean(name, known) if len(known) <= MOST_COMPARED else ""
