"""A YAML or JSON file as plain data that remembers its lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hypar_opt.errors import InputError
from hypar_opt.instance.json_text import json_tokens, parse_json
from hypar_opt.instance.limits import MOST_BYTES
from hypar_opt.instance.lines import TextError, find_line
from hypar_opt.instance.wording import dotted, shown

if TYPE_CHECKING:
    from hypar_opt.instance.wording import FieldPath

_TOO_LARGE = f"larger than {MOST_BYTES // 2**20} MiB, the limit for a file"


@dataclass(frozen=True)
class Document:
    """What a file says.

    Parameters
    ----------
    path
        The file.
    data
        Mappings, lists, text, integers, exact decimals, truth values and None. Read only: parts are shared.
    text
        The file's text.
    syntax
        Which of the two it is.
    """

    path: Path
    data: dict[str, object]
    text: str
    syntax: Literal["json", "yaml"]

    def line(self, path: FieldPath, *, of_key: bool = False) -> int:
        """Return the line of a value (or of its key), or of its nearest parent that exists."""
        return _line(self.text, self.syntax, path, of_key=of_key)

    def error(self, message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
        """Return the error with the file, line and field of a value (or of its key)."""
        line = self.line(path, of_key=of_key)
        return InputError(message, file=self.path, line=line, field=dotted(path) or None)


def read_document(path: Path) -> Document:
    """Read a file that holds one mapping.

    Raises
    ------
    InputError
        If it cannot be read, or is neither YAML nor JSON as we allow them. Without a line if the file as a
        whole is to blame.
    """
    from hypar_opt.strategy_graph.recognising import is_strategy_graph

    if is_strategy_graph(path):
        raise InputError("a strategy graph, which only solve, compare, verify and import take", file=path)
    text = read_text(path)
    try:
        data, syntax = _parsed(text, path.suffix.lower() == ".json")
    except TextError as error:
        raise InputError(error.message, file=path, line=error.line) from None
    if not isinstance(data, dict):
        line = _line(text, syntax, ())
        raise InputError(f"expected a mapping at the top, got {shown(data)}", file=path, line=line)
    return Document(path, data, text, syntax)


def read_text(path: Path) -> str:
    """Read a file as text.

    Raises
    ------
    InputError
        If it cannot be read, or is too large or no text.
    """
    return _decoded(_content(path), path)


def _line(text: str, syntax: str, path: FieldPath, *, of_key: bool = False) -> int:
    if syntax == "json":
        return find_line(json_tokens(text), path, of_key=of_key)
    from hypar_opt.instance.yaml_text import yaml_tokens

    return find_line(yaml_tokens(text), path, of_key=of_key)


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(_TOO_LARGE, file=path)
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(_reason(error), file=path) from None
    except ValueError:
        raise InputError("no file can be called so, there is a NUL in its name", file=path) from None
    if len(content) > MOST_BYTES:  # a pipe or a device, which has no size
        raise InputError(_TOO_LARGE, file=path)
    return content


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "is a folder, expected a file"
    return f"cannot be read: {error.strerror or error}"


def _decoded(content: bytes, path: Path) -> str:
    if b"\0" in content:
        raise InputError("a binary file, expected YAML or JSON", file=path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8 text, expected YAML or JSON in UTF-8", file=path, line=line) from None


def _parsed(text: str, must_be_json: bool) -> tuple[object, Literal["json", "yaml"]]:
    if must_be_json or text.lstrip().startswith("{"):
        try:
            return parse_json(text), "json"
        except json.JSONDecodeError as error:
            if must_be_json:
                message = "not JSON: " + error.msg if text.strip() else "the file is empty"
                raise TextError(message, error.lineno) from None
    from hypar_opt.instance.yaml_text import parse_yaml

    return parse_yaml(text), "yaml"
