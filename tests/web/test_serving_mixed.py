"""Accelerators of several kinds on the live page: the plan, its shares, and what every class does."""

from __future__ import annotations

import json

from mixed_plans import tiny

from tests.web.conftest import submit, until


def test_a_text_becomes_a_plan_with_shares(client):
    text = "# in braces\n" + json.dumps(tiny(shares={"parts": 4}))
    found = client.post("/api/check", json={"text": text, "overrides": {}, "edit": None}).json()
    assert found["fault"] is None
    about = found["about"]
    assert (about["letters"], about["layers"], about["default"]) == ("dmon", 2, "joint-dp")
    assert "placement" in about["declining"]["placement-milp"]
    done = until(client, submit(client, instance=text, certificate=False))
    assert done["state"] == "done"
    outcome = done["outcome"]
    assert any(line.startswith("root: fast x 2 gets") for line in outcome["headline"])
    assert [row["layer"] for row in outcome["rows"]] == ["fc1", "fc2"]
    (classes,) = outcome["tables"]
    assert classes["headings"] == ["", "fast x 2", "slow x 2"]
    assert "Seconds of a step and memory" in client.get(f"/jobs/{done['id']}").text
