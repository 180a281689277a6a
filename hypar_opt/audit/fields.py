"""The kinds of texts that claims files are made of."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from hypar_opt.instance.fields import refusal
from hypar_opt.instance.wording import shown

LONGEST_TEXT = 2000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def _one_line(text: str) -> str:
    """Return a text without line breaks, which folding put there."""
    line = " ".join(text.split())
    if not line.isprintable():
        raise refusal(f"expected text without control characters, got {shown(line)}")
    if not line:
        raise refusal("expected text of at least 1 character, got none")
    return line


def _identifier(text: str) -> str:
    if not _ID.fullmatch(text):
        raise refusal(f"expected letters, digits, '.', '_' and '-', the first a letter or digit, got {shown(text)}")
    return text


Text: TypeAlias = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(_one_line)]
"""A sentence or two."""
Identifier: TypeAlias = Annotated[str, Field(max_length=100), AfterValidator(_identifier)]
"""What `--only` takes."""
