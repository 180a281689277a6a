"""What happens to pages on their way to the site: mkdocs calls these by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import commands
import generated
import mathml
import notebooks
import reading
import report_pages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the commands' pages into the navigation."""
    config.nav = commands.navigation(config.nav or [])
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what `make` wrote to reports/, which the pages speak of, notebooks as pages, and the help of commands."""
    for file in (*report_pages.files(config), *notebooks.files(config), *commands.files(config)):
        files.append(file)
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turn links to the checkout into links of the site, and fill in what is generated."""
    return generated.filled(report_pages.linked(markdown, page.file.src_uri))


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Draw formulae as MathML, which browsers know without a script, and make wide tables reachable by keyboard."""
    html = reading.scrollable(mathml.drawn(html))
    return reading.opened(html) if page.file.src_uri.startswith("formulations/") else html


def on_post_page(output: str, **_: object) -> str:
    """Name what the theme leaves without a name."""
    return reading.named(output)
