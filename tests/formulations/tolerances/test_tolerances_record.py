"""The record of a campaign: what it counts, and that it goes on where it was."""

from __future__ import annotations

from tests.formulations.tolerances.judging import DECLINED, WRONG
from tests.formulations.tolerances.record import Record


def test_a_record_is_read_as_it_was_written(tmp_path):
    record = Record(seed=7, commits=["abc1234"])
    record.add("network", "milp-cbc", "OPTIMAL", "")
    record.add("network", "joint-dp", DECLINED, "too large")
    record.add("network", "milp-cbc", WRONG, "OPTIMAL, 3; the least is 2")
    path = tmp_path / "folder" / "tolerances.json"
    record.write(path)
    again = Record.of(path)
    assert again == record
    assert again.total == 3
    text = path.with_suffix(".md").read_text()
    assert "| network | milp-cbc | 1 | 0 | 0 | 0 | 0 | 1 |" in text
    assert "* joint-dp, 1: too large" in text
    assert "* network, 7, milp-cbc, OPTIMAL, 3; the least is 2" in text


def test_without_a_file_it_begins(tmp_path):
    assert Record.of(tmp_path / "none.json").total == 0
