"""One broken pipeline per error: tests/data/pipelines has the files, and messages.txt the whole message of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypar_opt import load
from hypar_opt.util.errors import InputError

BAD = Path(__file__).parents[2] / "data" / "pipelines"
MESSAGES = dict(line.split(" | ", 1) for line in (BAD / "messages.txt").read_text().splitlines())


@pytest.mark.parametrize(("name", "message"), MESSAGES.items(), ids=MESSAGES.keys())
def test_the_message_names_file_line_and_field(name, message, monkeypatch):
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        load(name)
    assert str(caught.value) == message


def test_every_bad_file_has_a_message():
    assert {path.name for path in BAD.glob("*.yaml")} == set(MESSAGES)
