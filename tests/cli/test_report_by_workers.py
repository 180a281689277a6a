"""hypar-opt report --on as a user meets it: what is lost is said, and is no success."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from workers_here import Here

from hypar_opt.executor import KilledWorkers


def dying_sections():
    """Return workers that only sections kill: the solve comes first."""
    seen = []

    def change(result):
        seen.append(result)
        if len(seen) > 1:
            raise KilledWorkers("3 processes died while they ran it")
        return result

    return Here(change)


@pytest.mark.slow
def test_a_section_that_kills_its_workers_is_missing_on_the_page_and_no_success(run, tmp_path, monkeypatch):
    monkeypatch.setattr("hypar_opt.cli.report_command.opened", lambda *_: nullcontext(dying_sections()))
    words = ("report", "sfc", "--levels", "1", "-f", "hypar-dp", "--without", "front,exploration,scaling")
    ran = run(*words, "-o", tmp_path / "pages", "--json")
    assert ran.code == 1
    assert "error: sfc, regrets: set aside: 3 processes died while they ran it; the instance is " in ran.err
    assert json.loads(ran.out)["faults"][0].startswith("sfc, regrets: set aside: ")
    page = (tmp_path / "pages" / "sfc.html").read_text(encoding="utf-8")
    assert "set aside: 3 processes died while they ran it" in page
