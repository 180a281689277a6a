"""Instances in JSON, as plain data: exact decimals, no duplicate keys, no NaN."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.exact import decimal, integer
from hypar_opt.instance.formats.format import Document, File, Format, document_of
from hypar_opt.instance.formats.lines import TextError, Token, positions
from hypar_opt.instance.limits import DEEPEST
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|[^\s\[\]{}:,"]+', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(?P<lone>u[dD][89a-fA-F]\w\w)|.)", re.DOTALL)
_WHAT = {"{": "map", "[": "list", "}": "close", "]": "close"}


class _BadToken(Exception):
    """A number that the json module would take and we do not."""


class _DuplicateKey(Exception):
    pass


def parse_json(text: str) -> object:
    """Return the plain data of a JSON text: numbers are integers and decimals.

    Raises
    ------
    TextError
        If it has duplicate keys, is nested too deep, or has a number or a character that cannot be.
    json.JSONDecodeError
        If it is not JSON.
    """
    try:
        data = json.loads(
            text,
            object_pairs_hook=_mapping,
            parse_int=lambda number: _exact(integer, number),
            parse_float=lambda number: _exact(decimal, number),
            parse_constant=_refuse_constant,
        )
    except _BadToken as error:
        token, message = error.args
        line = next(x.line for x in json_tokens(text) if x.what == "scalar" and x.text == token)
        raise TextError(message, line) from None
    except _DuplicateKey as error:
        raise TextError(f"duplicate key {shown(error.args[0])}", _line_of_duplicate(text)) from None
    except RecursionError:
        raise _too_deep(text) from None
    if not _is_shallow(data):
        raise _too_deep(text)
    _check_surrogates(text)
    return data


def json_tokens(text: str) -> Iterator[Token]:
    """Yield the pieces of a JSON text; quoted ones are text."""
    line, last = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        piece = match.group()
        if piece[0] == '"':
            piece = json.loads(piece, strict=False) if "\\" in piece else piece[1:-1]
            yield Token("text", piece, line)
        else:
            yield Token(_WHAT.get(piece, "scalar"), piece, line)


def _mapping(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise _DuplicateKey(Counter(key for key, _ in pairs).most_common(1)[0][0])
    return mapping


def _exact(read: Callable[[str], object], number: str) -> object:
    try:
        return read(number)
    except ValueError as error:
        raise _BadToken(number, str(error)) from None


def _refuse_constant(name: str) -> object:
    raise _BadToken(name, f"{name} is not a finite number")


def _line_of_duplicate(text: str) -> int | None:
    seen: set[FieldPath] = set()
    for place in positions(json_tokens(text)):
        if place.path in seen:
            return place.key_line
        seen.add(place.path)
    return None


def _is_shallow(data: object) -> bool:
    level = [data]
    for _ in range(DEEPEST + 1):
        containers = [node for node in level if isinstance(node, dict | list)]
        level = [x for node in containers for x in (node.values() if isinstance(node, dict) else node)]
    return not containers


def _too_deep(text: str) -> TextError:
    depth = 0
    for token in json_tokens(text):
        depth += {"map": 1, "list": 1, "close": -1}.get(token.what, 0)
        if depth > DEEPEST:
            return TextError(f"nested deeper than {DEEPEST} levels", token.line)
    return TextError(f"nested deeper than {DEEPEST} levels")


def _check_surrogates(text: str) -> None:
    if "\\u" not in text:
        return
    for match in _ESCAPE.finditer(text):
        if match["lone"]:
            line = text.count("\n", 0, match.start()) + 1
            raise TextError(f"\\{match['lone']} alone is half a character", line)


def _recognises(file: File) -> bool:
    return _must_be(file) or file.text.lstrip().startswith("{")


def _must_be(file: File) -> bool:
    return file.path.suffix.lower() == ".json"


def _read(file: File) -> Document:
    from hypar_opt.instance.formats.yaml import read_yaml

    try:
        return document_of(file, parse_json, json_tokens)
    except json.JSONDecodeError as error:
        if not _must_be(file):  # YAML has mappings in braces, too
            return read_yaml(file)
        message = "not JSON: " + error.msg if file.text.strip() else "the file is empty"
        raise InputError(message, file=file.path, line=error.lineno) from None


FORMATS: Final = (Format("JSON", "instance", _recognises, _read, 900, endings=(".json",), media=("application/json",)),)
