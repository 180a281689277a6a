"""Accelerators of several kinds on the live page: the plan, its shares, and what every class does."""

from __future__ import annotations

import json

import pytest
from helpers import instance_of
from mixed_plans import tiny

from hypar_opt.web.suited import suited
from tests.web.conftest import submit, until

TEXT = "# in braces\n" + json.dumps(tiny(shares={"parts": 4}))


def test_what_takes_kinds_is_said():
    found = suited(instance_of(tiny(shares={"parts": 4})))
    assert found["default"] == "joint-dp"
    assert found["declining"]["placement-milp"] == "there is no placement to decide"
    assert "data-parallel" not in found["declining"]


@pytest.mark.slow
def test_a_text_becomes_a_plan_with_shares(client):
    found = client.post("/api/check", json={"text": TEXT, "overrides": {}, "edit": None}).json()
    assert found["fault"] is None
    assert (found["about"]["letters"], found["about"]["layers"]) == ("dmon", 2)
    done = until(client, submit(client, instance=TEXT, certificate=False))
    assert done["state"] == "done"
    outcome = done["outcome"]
    assert any(line.startswith("root: fast x 2 gets") for line in outcome["headline"])
    assert [row["layer"] for row in outcome["rows"]] == ["fc1", "fc2"]
    (classes,) = outcome["tables"]
    assert classes["headings"] == ["", "fast x 2", "slow x 2"]
    assert "Seconds of a step and memory" in client.get(f"/jobs/{done['id']}").text
