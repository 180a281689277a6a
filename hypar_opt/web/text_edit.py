"""Setting one field of an instance's text, and leaving the rest as it was written."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.text import dotted
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN = re.compile(r"[A-Za-z_][\w.-]*(?:/[\w.-]+)*")
_PAIR = re.compile(r"\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|.)", re.IGNORECASE | re.DOTALL)
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def with_field(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a field set to a value, its comments and its layout kept.

    Parameters
    ----------
    text
        YAML or JSON that was read without a fault of its syntax, so that it is neither deep nor a bomb.
    path
        Keys, from the top.
    value
        Plain data; None takes the field out, where it stands.

    Raises
    ------
    InputError
        If its place in the text cannot be found.
    """
    import yaml

    is_json = text.lstrip().startswith("{")
    if is_json:
        text = _PAIR.sub(_as_one, text)
    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:  # JSON that YAML does not know
        raise InputError("cannot be set from here in this text; change it there", field=dotted(tuple(path))) from None
    return _Edit(text, is_json).set(root, list(path), value)


class _Edit:
    """One change to one text."""

    def __init__(self, text: str, is_json: bool) -> None:
        self._text, self._json = text, is_json
        self._starts = [0, *(i + 1 for i, one in enumerate(text) if one == "\n")]

    def set(self, node: Any, path: list[str], value: Any) -> str:
        """Set a field below a mapping's node."""
        key, rest = path[0], path[1:]
        found = next(((k, v) for k, v in node.value if k.value == key), None)
        if found is None and value is None:
            return self._text
        nested = reduce(lambda inner, part: {part: inner}, reversed(rest), value)
        if found is None:
            return self._insert(node, key, nested)
        if rest and getattr(found[1], "id", "") == "mapping" and found[1].value:
            return self.set(found[1], rest, value)
        if value is None:
            return self._without(node, [k.value for k, _ in node.value].index(key))
        begin, end = self._at(found[0].end_mark), self._end(found[1])
        colon = self._text.index(":", begin) + 1
        return f"{self._text[:colon]} {self._shown(nested)}{self._text[max(end, colon) :]}"

    def _without(self, node: Any, position: int) -> str:
        """Take an entry out: its lines, or its place between braces."""
        keys = [self._at(key.start_mark) for key, _ in node.value]
        ends = [self._end(value) for _, value in node.value]
        begin, end = keys[position], ends[position]
        if not node.flow_style:
            if len(keys) == 1:
                return f"{self._text[:begin]}{{}}{self._text[end:]}"
            after = self._text.find("\n", end)
            begin = self._text.rfind("\n", 0, begin) + 1
            return self._text[:begin] + (self._text[after + 1 :] if after >= 0 else "")
        if position + 1 < len(keys):
            end = keys[position + 1]
        elif position:
            begin = ends[position - 1]
        return self._text[:begin] + self._text[end:]

    def _insert(self, node: Any, key: str, value: Any) -> str:
        entry = f"{self._shown(key)}: {self._shown(value)}"
        at = self._at(node.start_mark)
        if node.flow_style:
            rest = self._text[at + 1 :]
            return f"{self._text[: at + 1]}{entry}{', ' if node.value else ''}{rest}"
        if node.start_mark.column == 0:
            return f"{self._text.rstrip()}\n{entry}\n"
        return f"{self._text[:at]}{entry}\n{' ' * node.start_mark.column}{self._text[at:]}"

    def _at(self, mark: Any) -> int:
        return self._starts[int(mark.line)] + int(mark.column)

    def _end(self, node: Any) -> int:
        """Return where a value ends: its own mark is behind the comments that follow a block."""
        block = getattr(node, "flow_style", True) is False
        if not block or not node.value:
            return self._at(node.end_mark)
        last: Any = node.value[-1]
        return self._end(last[1] if isinstance(last, tuple) else last)

    def _shown(self, value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self._shown(k)}: {self._shown(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list | tuple):
            return "[" + ", ".join(map(self._shown, value)) + "]"
        if isinstance(value, Decimal):
            return format(value, "f")
        if isinstance(value, str) and not self._json and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
            return value
        return _PAIR.sub(_as_one, json.dumps(value))


def _as_one(pair: re.Match[str]) -> str:
    """Return a character beyond the first 65,536 as it is: JSON escapes it as two halves, which YAML does not know."""
    if pair[1] is None:
        return pair[0]  # another escape, passed over whole
    high, low = int(pair[1], 16), int(pair[2], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
