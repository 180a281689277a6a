"""Instances in YAML, as plain data straight from the parser's events.

No node graph is built, nothing is expanded and nothing recurses, so that a file can neither run code, nor
blow up, nor overflow the stack. Plain scalars follow the core schema of YAML 1.2: `no` and `on` are text,
and numbers that the versions of YAML read differently (010, 0x10, 1_000, 1:30) are text as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.exact import DECIMAL, INTEGER, decimal, integer
from hypar_opt.instance.formats.format import Document, File, Format, document_of
from hypar_opt.instance.formats.lines import TextError, Token
from hypar_opt.instance.limits import DEEPEST, MOST_NODES
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import yaml


@dataclass(frozen=True)
class _Built:
    """A finished value with its number of nodes and its depth, aliases expanded."""

    value: object
    nodes: int = 1
    depth: int = 0


@dataclass
class _Frame:
    """A mapping or list that is being read; `key` is set while a mapping waits for that key's value."""

    into: dict[str, object] | list[object]
    anchor: str | None
    key: str | None = None
    nodes: int = 1
    depth: int = 1

    @property
    def awaits_key(self) -> bool:
        return isinstance(self.into, dict) and self.key is None


@dataclass
class Builder:
    """Puts events together to plain data; aliases share one object, so that a bomb does not go off."""

    frames: list[_Frame] = field(default_factory=list)
    anchors: dict[str, _Built | None] = field(default_factory=dict)
    roots: list[object] = field(default_factory=list)
    documents: int = 0

    def start(self, line: int) -> None:
        """Begin a document."""
        self.documents += 1
        if self.documents > 1:
            raise TextError("a second document begins, expected one document in a file", line)

    def scalar(self, text: str, value: Callable[[], object], anchor: str | None, line: int) -> None:
        """Take a key, or the value that `value` returns."""
        if self.frames and self.frames[-1].awaits_key:
            self._key(text, line)
            if anchor:
                self.anchors[anchor] = _Built(text)
            return
        try:
            built = _Built(value())
        except ValueError as error:
            raise TextError(str(error), line) from None
        self._finish(built, anchor, line)

    def open(self, is_map: bool, anchor: str | None, line: int) -> None:
        """Begin a mapping or list."""
        if self.frames and self.frames[-1].awaits_key:
            raise TextError("expected text as a key, got a mapping or a list", line)
        if len(self.frames) >= DEEPEST:
            raise TextError(f"nested deeper than {DEEPEST} levels", line)
        if anchor:
            self.anchors[anchor] = None
        self.frames.append(_Frame({} if is_map else [], anchor))

    def close(self, line: int) -> None:
        """End a mapping or list."""
        frame = self.frames.pop()
        self._finish(_Built(frame.into, frame.nodes, frame.depth), frame.anchor, line)

    def alias(self, name: str, line: int) -> None:
        """Take a value that stands elsewhere."""
        built = self.anchors.get(name)
        if built is None:
            what = "refers to itself" if name in self.anchors else "refers to nothing above it"
            raise TextError(f"the alias *{name} {what}", line)
        if self.frames and self.frames[-1].awaits_key:
            if not isinstance(built.value, str):
                raise TextError(f"expected text as a key, got the alias *{name}", line)
            self._key(built.value, line)
            return
        self._finish(built, None, line)

    def result(self) -> object:
        """Return the data of the only document."""
        if not self.roots:
            raise TextError("the file is empty")
        return self.roots[0]

    def _key(self, text: str, line: int) -> None:
        frame = self.frames[-1]
        if text in frame.into:
            raise TextError(f"duplicate key {shown(text)}", line)
        frame.key = text

    def _finish(self, built: _Built, anchor: str | None, line: int) -> None:
        if anchor:
            self.anchors[anchor] = built
        if not self.frames:
            self.roots.append(built.value)
            return
        frame = self.frames[-1]
        if isinstance(frame.into, list):
            frame.into.append(built.value)
        else:
            frame.into[str(frame.key)] = built.value
            frame.key = None
        frame.nodes += built.nodes + isinstance(frame.into, dict)
        frame.depth = max(frame.depth, built.depth + 1)
        if frame.nodes > MOST_NODES:
            raise TextError(f"more than {MOST_NODES:,} values, aliases expanded", line)
        if len(self.frames) + built.depth > DEEPEST:
            raise TextError(f"nested deeper than {DEEPEST} levels, aliases expanded", line)


_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def parse_yaml(text: str) -> object:
    """Return the plain data of a YAML text: numbers are integers and decimals, keys are text.

    Raises
    ------
    TextError
        If it is not YAML, or not YAML as we allow it.
    """
    import yaml

    builder = Builder()
    for event in _events(text):
        line = _line(event)
        if isinstance(event, yaml.ScalarEvent):
            _check_tag(event.tag, line)
            builder.scalar(event.value, partial(_value, event), event.anchor, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            _check_tag(event.tag, line)
            builder.open(isinstance(event, yaml.MappingStartEvent), event.anchor, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            builder.close(line)
        elif isinstance(event, yaml.AliasEvent):
            builder.alias(str(event.anchor), line)
        elif isinstance(event, yaml.DocumentStartEvent):
            builder.start(line)
    return builder.result()


def yaml_tokens(text: str) -> Iterator[Token]:
    """Yield the pieces of a YAML text that `parse_yaml` took."""
    import yaml

    for event in _events(text):
        line = _line(event)
        if isinstance(event, yaml.ScalarEvent):
            yield Token("scalar", event.value, line)
        elif isinstance(event, yaml.AliasEvent):
            yield Token("scalar", "", line)
        elif isinstance(event, yaml.CollectionStartEvent):
            yield Token("map" if isinstance(event, yaml.MappingStartEvent) else "list", "", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            yield Token("close", "", line)


def _events(text: str) -> Iterator[yaml.Event]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in (error.problem or ""):  # newer ones of libyaml have a limit of their own, above ours
            raise TextError(f"nested deeper than {DEEPEST} levels", _line_of_error(error, text)) from None
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise TextError(f"not YAML: {what}", _line_of_error(error, text)) from None
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(b"\n") + 1  # libyaml counts bytes
        raise TextError(f"not YAML: {error.reason}", line) from None


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _line_of_error(error: yaml.MarkedYAMLError, text: str) -> int | None:
    mark = error.problem_mark or error.context_mark
    last = text.rstrip().count("\n")  # an unexpected end of the file is on its last line
    return min(mark.line, last) + 1 if mark else None


def _check_tag(tag: str | None, line: int) -> None:
    if tag is not None:
        short = tag.replace("tag:yaml.org,2002:", "!!")
        raise TextError(f"the tag {short} is not allowed: plain values only", line)


def _value(event: yaml.ScalarEvent) -> object:
    """Return what a scalar means.

    Raises
    ------
    ValueError
        If it is a number that cannot be.
    """
    text: str = event.value
    if event.style:  # quoted, or a block of text
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if INTEGER.fullmatch(text):
        return integer(text)
    if DECIMAL.fullmatch(text):
        return decimal(text)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is not a finite number")
    return text


def read_yaml(file: File) -> Document:
    """Return what a file says.

    Raises
    ------
    InputError
        If it cannot be read, or is not YAML as we allow it.
    """
    return document_of(file, parse_yaml, yaml_tokens)


FORMATS: Final = (
    Format("YAML", "instance", lambda _: True, read_yaml, 1000, endings=(".yaml", ".yml"), media=("text/plain",)),
)
