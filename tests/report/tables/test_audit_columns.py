"""Verdicts as tables: which formats have which columns, and what becomes a footnote."""

from __future__ import annotations

import json

import pytest

from hypar_opt.report.claims import audit_table, flat_table, paper_table
from hypar_opt.report.tables import displayed, latex_text, markdown_text
from hypar_opt.studies.claims import audit, read_claims

TOTAL = {"formulation": "hypar-dp", "communication_GB": "1.004"}
SFC = {"instance": "sfc", "overrides": {"accounting": "receiver"}}
CLAIMS = {
    "plain": {**SFC, "total": TOTAL},
    "found": {**SFC, "total": TOTAL, "finding": "A & B_1."},
    "false": {**SFC, "text": "5 % of <b>", "optimal": {"formulation": "hypar-dp"}, "finding": "greedy"},
}


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    path = tmp_path_factory.mktemp("claims") / "claims.yaml"
    listed = [{"id": name, "source": "Table 1", "text": name, **claim} for name, claim in CLAIMS.items()]
    whole = {"schema": "hypar-opt/claims/1", "title": "T", "source": "nobody", "claims": listed}
    path.write_text(json.dumps(whole), encoding="utf-8")
    claims = read_claims(str(path))
    return claims, audit(claims.claims)


def test_a_verdict_that_needs_words_has_a_footnote(judged):
    found = displayed(audit_table(judged[1]), "latex")
    at = [heading.text for heading in found.headings].index("verdict")
    assert [(row[at].text, row[at].notes) for row in found.rows] == [
        ("confirmed", ()),
        ("confirmed", (1,)),
        ("refuted", (2,)),
    ]
    assert found.footnotes == ("A & B_1", "a better plan exists; greedy")


@pytest.mark.parametrize(
    ("form", "left_out"),
    [("latex", {"evidence", "command"}), ("markdown", set()), ("page", set())],
)
def test_paper_has_no_room_for_commands(judged, form, left_out):
    everything = {"id", "source", "claim", "printed", "recomputed", "verdict", "evidence", "command"}
    assert {column.key for column in audit_table(judged[1]).columns_of(form)} == everything - left_out


def test_machines_have_everything(judged):
    columns = flat_table(judged[1]).columns
    assert [column.key for column in columns] == [
        "id", "source", "claim", "kind", "instances", "overrides", "printed", "recomputed", "verdict", "why",
        "evidence", "command", "finding", "details",
    ]  # fmt: skip
    assert {column.formats for column in columns} == {("data",)}


def test_what_a_claims_file_says_is_text(judged):
    table = paper_table(*judged)
    assert r"5~\% of \textless{}b\textgreater{}" in latex_text(table)
    assert "5 % of &lt;b>" in markdown_text(table)
    assert table.notes == ("nobody", "3 claims: 2 confirmed, 1 refuted")
