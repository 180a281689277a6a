"""How many claims of each source have which verdict, as the documentation has it and as `make audit` found it."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from hypar_opt.studies.claims import audit, read_claims, shipped_claims

ROOT = Path(__file__).parents[3]
AUDIT = ROOT / "reports" / "audit"
DOCS = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
VERDICTS = ("confirmed", "refuted", "not reproducible")
FAST = ("abstracts-isca21-page", "oxml-2022", "thesis-bsc-2019")


def reported():
    """Return the counts of every shipped file, in the reports."""
    files = json.loads((AUDIT / "sources" / "audits.json").read_text(encoding="utf-8"))["files"]
    whole = json.loads((AUDIT / "audit.json").read_text(encoding="utf-8"))
    found = {"hypar-hpca19": whole["counts"]} | {one["file"]: one["counts"] for one in files}
    assert not any(counts["undecided"] for counts in found.values())
    return {name: [found[name][verdict] for verdict in VERDICTS] for name in sorted(found)}


def test_the_table_of_the_documentation_is_what_was_found():
    found = reported()
    assert set(found) == set(shipped_claims())
    rows = {f"`{name}`": counts for name, counts in found.items()}
    rows["all"] = [sum(column) for column in zip(*found.values(), strict=True)]
    lines = [f"| {name} | {sum(counts)} | {' | '.join(map(str, counts))} |" for name, counts in rows.items()]
    heading = "| claims file | claims | confirmed | refuted | not reproducible |\n| --- | --: | --: | --: | --: |"
    assert "\n".join([heading, *lines]) in DOCS


@pytest.mark.parametrize("name", FAST)
def test_what_is_said_of_a_file_counts_the_same(name):
    counts = reported()[name]
    (said,) = re.findall(
        rf"`hypar-opt audit {name}` judges (\d+) [^:]*: (\d+) confirmed, (\d+) refuted, (\d+) not", DOCS
    )
    assert [int(one) for one in said] == [sum(counts), *counts]


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
def test_the_reports_are_what_is_found_today(name):
    whole = json.loads((AUDIT / "sources" / name / "audit.json").read_text(encoding="utf-8"))
    rows = audit(read_claims(name).claims)
    found = {row.claim.id: (row.judgement.recomputed, row.verdict.value) for row in rows}
    assert {row["id"]: (row["recomputed"], row["verdict"]) for row in whole["rows"]} == found
    assert Counter(verdict for _, verdict in found.values())["undecided"] == 0
    assert all(row.judgement.why for row in rows if row.verdict != "confirmed")
