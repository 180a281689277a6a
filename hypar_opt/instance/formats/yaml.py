"""The stack machine that puts YAML events together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypar_opt.instance.limits import DEEPEST, MOST_NODES
from hypar_opt.instance.lines import TextError
from hypar_opt.instance.wording import shown

if TYPE_CHECKING:
    from collections.abc import Callable


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
