"""hypar-opt compare --bytes, in this process."""

from __future__ import annotations

import csv
import json

import pytest

NAMES = "ring,multitree,shifted-trees"


def test_times_over_bytes(run, tmp_path):
    ran = run("compare", "torus-4x4-gather", "--bytes", "1KiB,1MiB-4MiB", "-f", NAMES, "-o", tmp_path / "out")
    assert (ran.code, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[1:6] == [
        "bytes ring multitree shifted-trees bound any chunks",
        "1 KiB 2.31 us 770 ns 616 ns 616 ns 600 ns",
        "1 MiB 63.69 us 21.23 us 16.98 us 16.98 us 15.51 us",
        "2 MiB 125.1 us 41.71 us 33.37 us 33.37 us 30.87 us",
        "4 MiB 248 us 82.67 us 66.14 us 66.14 us 61.59 us",
    ]
    assert "fastest, 1 KiB to 4 MiB: shifted-trees; at the end meets the bound" in lines
    rows = list(csv.DictReader((tmp_path / "out" / "message-sizes.csv").open(encoding="utf-8")))
    assert len(rows) == 12
    assert (rows[0]["formulation"], rows[0]["steps"], rows[0]["seconds"]) == ("ring", "15", "0.00000231")
    document = json.loads((tmp_path / "out" / "message-sizes.json").read_text(encoding="utf-8"))
    assert document["algorithms"][0]["seconds"][0] == "0.00000231"


def test_the_same_for_machines_with_who_declines(run):
    document = json.loads(run("compare", "mesh-3x3-reduce", "--bytes", "9B-20B", "-f", "ring,multitree", "--json").out)
    ring, trees = document["algorithms"]
    assert document["bytes"] == [9, 18, 20]
    assert (ring["seconds"], trees["steps"]) == ([None, None, None], 10)
    assert "no Hamiltonian cycle" in ring["reason"]


@pytest.mark.slow
def test_it_is_drawn(run, tmp_path):
    ran = run("compare", "torus-4x4-gather", "--bytes", "1KiB-1MiB", "-f", NAMES, "-o", tmp_path, "--figures", "-q")
    assert (ran.code, ran.err) == (0, "")
    drawn = (tmp_path / "message-sizes.svg").read_text(encoding="utf-8")
    assert all(
        text in drawn for text in ("shifted-trees", "64 KiB", "10 us", "no schedule of these chunks in lockstep")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["torus-4x4-gather", "--bytes", "64"], "--bytes"),  # a byte a chunk: 64 are enough
        (["torus-4x4-gather", "--bytes", "8"], "--bytes: expected at least a byte for each of the 16 chunks, got 8"),
        (["torus-4x4-gather", "--bytes", "1MiB-1KiB"], "the range 1MiB-1KiB is empty; the smaller number comes first"),
        (["torus-4x4-gather", "--bytes", "1mib"], "expected bytes as 64MiB, several as 1KiB,1MiB or a range"),
        (["torus-4x4-gather", "--bytes", "0"], "expected from 1 byte to 1,024 TiB, got '0'"),
        (["torus-4x4-gather", "--bytes", "4096TiB"], "expected from 1 byte to 1,024 TiB"),
        (["sfc", "--bytes", "1KiB"], "--bytes: expected one collective, got sfc, which is none"),
        (["ring-4", "torus-4x4-gather", "--bytes", "1KiB"], "--bytes: expected one collective, got 2 instances"),
    ],
)
def test_what_is_no_size_is_told(run, tmp_path, arguments, message):
    folder = tmp_path / "out"
    ran = run("compare", *arguments, "-f", "multitree", "-o", folder)
    if arguments[-1] == "64":
        assert ran.code == 0
    else:
        assert (ran.code, message in " ".join(ran.err.split())) == (2, True), ran.err
        assert not folder.exists() or not any(folder.iterdir())
