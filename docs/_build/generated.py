"""What pages take from the program itself: fields of instance files, commands."""

from __future__ import annotations

import re

import commands
import fields

MARK = re.compile(r"^<!-- generated: ([a-z ]+) -->$", re.MULTILINE)
MAKERS = {"fields": fields.as_markdown, "commands": commands.as_markdown}


def filled(markdown: str) -> str:
    """Replace the marks of a page, `<!-- generated: fields -->`, by what they stand for."""
    return MARK.sub(lambda found: MAKERS[found[1]](), markdown)
