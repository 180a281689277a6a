"""What makes the theme's pages easier to read."""

from __future__ import annotations

import re

FUNCTION = re.compile(
    r'(<div class="doc doc-object doc-function">(?:(?!<div class="doc doc-object).)*?<details)(?= )', re.DOTALL
)
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
SEARCH = 'data-md-component="search" role="dialog"'


def opened(html: str) -> str:
    """Show the code of functions at once, where it is what a page is about."""
    return FUNCTION.sub(r"\1 open", html)


def scrollable(html: str) -> str:
    """Let tables scroll in boxes of their own, which the keyboard reaches."""
    box = '<div class="wide" role="group" tabindex="0" aria-label="table">'
    return TABLE.sub(lambda found: f"{box}{found[0]}</div>", html)


def named(html: str) -> str:
    """Give the search, which the theme makes a dialog, a name for those who hear it."""
    return html.replace(SEARCH, f'{SEARCH} aria-label="Search"')
