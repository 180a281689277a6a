"""Every command and code block of the README and the documentation, as it stands there."""

from __future__ import annotations

import pytest

from tests.docs.blocks import ROOT, blocks_of, pages
from tests.docs.page import run_page

NAMES = [str(page.relative_to(ROOT)) for page in pages()]
LONG = (
    "README.md",
    "docs/altsplit.md",
    "docs/collectives.md",
    "docs/evaluation.md",
    "docs/extending/choice.md",
    "docs/extending/component.md",
    "docs/extending/cost-model.md",
    "docs/extending/figure.md",
    "docs/extending/format.md",
    "docs/extending/topology.md",
    "docs/counterexamples.md",
    "docs/extending/formulation.md",
    "docs/instances.md",
    "docs/precision.md",
    "docs/mixed.md",
    "docs/operators.md",
    "docs/pipelines.md",
    "docs/reports.md",
    "docs/strategy-graphs.md",
    "docs/tables.md",
    "docs/task-graphs.md",
    "docs/time-energy.md",
)
"""Pages whose blocks take over 3 s together, though none of them takes long."""
COMMANDS = "docs/commands/"
"""Whose pages have a block or two each, and are many."""
WITH_SLOW = [name for name in NAMES if any("slow" in block.notes for block in blocks_of(ROOT / name))]
"""Pages that the slow tests run whole: those of them that are long have no other test."""
WITH_BLOCKS = [
    pytest.param(name, marks=pytest.mark.slow) if name in LONG or name.startswith(COMMANDS) else name
    for name in NAMES
    if blocks_of(ROOT / name) and not (name in LONG and name in WITH_SLOW)
]


@pytest.mark.parametrize("name", WITH_BLOCKS)
def test_what_the_page_says_is_so(name, tmp_path):
    run_page(ROOT / name, tmp_path, slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_SLOW)
def test_what_a_page_says_of_what_takes_longer_is_so(name, tmp_path):
    assert run_page(ROOT / name, tmp_path, slow=True) == []
