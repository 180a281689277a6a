"""One broken file per error: tests/data/bad has the files, and messages.txt the whole message of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypar_opt.instance import read_instance
from hypar_opt.util.errors import InputError

BAD = Path(__file__).parent.parent / "data" / "bad"
MESSAGES = dict(line.split(" | ", 1) for line in (BAD / "messages.txt").read_text().splitlines())


@pytest.mark.parametrize(("name", "message"), MESSAGES.items(), ids=MESSAGES.keys())
def test_the_message_names_file_line_and_field(name, message, monkeypatch):
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        read_instance(Path(name))
    assert str(caught.value) == message


def test_every_bad_file_has_a_message():
    assert {path.name for path in BAD.iterdir() if path.suffix in (".yaml", ".json")} == set(MESSAGES)


@pytest.mark.parametrize(
    ("name", "file", "line", "field"),
    [
        ("kernel-zero.yaml", "kernel-zero.yaml", 8, "network.layers[1].conv.kernel"),
        ("kernel-zero.json", "kernel-zero.json", 16, "network.layers[0].conv.kernel"),
        ("as-evaluated-op.yaml", "as-evaluated-op.yaml", 11, "cost.choices"),
        ("reference-missing.yaml", "reference-missing.yaml", 5, "network.file"),
        ("reference-bad-network.yaml", "parts/network.yaml", 5, "network.layers[0].linear.features"),
        ("reference-misfit.yaml", "parts/misfit.yaml", 4, "network.layers[1]"),
        ("duplicate-key.yaml", "duplicate-key.yaml", 4, None),
    ],
)
def test_the_parts_of_an_error(name, file, line, field):
    with pytest.raises(InputError) as caught:
        read_instance(BAD / name)
    error = caught.value
    assert (error.file, error.line, error.field) == (BAD / file, line, field)
