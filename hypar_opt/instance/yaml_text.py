"""YAML into plain data, straight from the parser's events.

No node graph is built, nothing is expanded and nothing recurses, so that a file can neither run code, nor
blow up, nor overflow the stack. Plain scalars follow the core schema of YAML 1.2: `no` and `on` are text,
and numbers that the versions of YAML read differently (010, 0x10, 1_000, 1:30) are text as well.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import yaml

from hypar_opt.instance.exact import decimal, integer
from hypar_opt.instance.lines import TextError, Token
from hypar_opt.instance.yaml_builder import Builder

if TYPE_CHECKING:
    from collections.abc import Iterator

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
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
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
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
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _DECIMAL.fullmatch(text):
        return decimal(text)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is not a finite number")
    return text
