"""The verdicts on the shipped claims, pinned.

verdicts.txt was written by `hypar-opt audit hypar-hpca19 --json` and compared by hand with what was known before
of HyPar's Figures 5 and 8: by recomputation from the printed tables, in the project's notes on the paper. A change of
a line is a change of what this project says of the paper.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hypar_opt.audit import audit, read_claims, shipped_claims
from hypar_opt.audit.evaluators import EVALUATORS
from hypar_opt.audit.schema import KINDS
from hypar_opt.instance import shipped_names

PINNED = [
    tuple(line.split(" | "))
    for line in Path(__file__).with_name("verdicts.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
PUBLISHED = yaml.safe_load((Path(__file__).parents[1] / "published" / "hypar_hpca19.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rows():
    return audit(read_claims("hypar-hpca19").claims)


def test_the_verdicts(rows):
    assert [(row.claim.id, row.judgement.recomputed, row.verdict.value) for row in rows] == PINNED


def test_every_row_has_a_command_and_every_verdict_says_why(rows):
    for row in rows:
        assert row.command.startswith("hypar-opt ")
        assert row.judgement.evidence or row.verdict == "not reproducible"
        assert bool(row.judgement.why) is (row.verdict != "confirmed")


def test_all_of_figures_5_and_8_is_claimed(rows):
    said = {row.claim.id: row.claim.spec for row in rows}
    for network, plan in PUBLISHED["plans"].items():
        assert said[f"fig5-{network}"].plan.strategies == plan
        assert said[f"fig5-{network}"].plan.others == "dddd"
    for column, name in (("hypar-dp", "hypar"), ("data-parallel", "dp")):
        for network, printed in PUBLISHED["totals_GB"][column].items():
            spec = said[f"fig8-{name}-{network}"]
            assert str(spec.statement.printed) == printed
            assert spec.statement.formulation == column


def test_every_kind_has_an_evaluator():
    assert set(EVALUATORS) == set(KINDS)


def test_claims_are_no_instances():
    assert "hypar-hpca19" in shipped_claims()
    assert not set(shipped_claims()) & set(shipped_names())
