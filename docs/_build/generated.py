"""What pages take from the program itself: fields of instance files, commands."""

from __future__ import annotations

import re

import commands
import fields

MARK = re.compile(r"^<!-- generated: (\w+)(?: ([\w-]+))? -->$", re.MULTILINE)
MAKERS = {"fields": fields.as_markdown, "commands": commands.overview, "command": commands.of}


def filled(markdown: str) -> str:
    """Replace the marks of a page, `<!-- generated: fields -->`, `<!-- generated: command solve -->`."""
    return MARK.sub(lambda found: MAKERS[found[1]](*filter(None, [found[2]])), markdown)
