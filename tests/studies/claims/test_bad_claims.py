"""One broken file per error: bad/ has the files, and messages.txt the whole message of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypar_opt.formulation.registry import found
from hypar_opt.studies.claims import find_claims, read_claims
from hypar_opt.util.errors import InputError

BAD = Path(__file__).parent / "bad"
MESSAGES = dict(line.split(" | ", 1) for line in (BAD / "messages.txt").read_text(encoding="utf-8").splitlines())

THERE = "; there are abstracts-isca21-page, accpar-hpca20, hypar-hpca19, multitree-isca21, oxml-2022, thesis-bsc-2019"


@pytest.mark.parametrize(("name", "message"), MESSAGES.items(), ids=MESSAGES.keys())
def test_the_message_names_file_line_and_field(name, message, monkeypatch):
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        read_claims(name)
    assert str(caught.value) == message.replace("{formulations}", ", ".join(found()))


def test_every_bad_file_has_a_message():
    assert {path.name for path in BAD.glob("*.yaml")} == set(MESSAGES)


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("hypar-hpca91", "; did you mean 'hypar-hpca19'?"),
        ("there/hypar-hpca19.yml", "; did you mean 'hypar-hpca19'?"),
        ("zzz", THERE),
        ("x" * 300, THERE),
    ],
)
def test_a_file_that_is_not_there(name, rest):
    with pytest.raises(InputError) as caught:
        find_claims(name)
    assert str(caught.value) == f"{name}: neither a file nor the name of shipped claims{rest}"


def test_a_folder_is_no_claims_file(tmp_path):
    with pytest.raises(InputError) as caught:
        read_claims(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder, expected a file"


def test_only_names_claims_that_are_there(write):
    claim = {"instance": "small.json", "optimal": {"others": "dd"}}
    claims = read_claims(write(claim, claim, claim))
    assert [one.id for one in claims.only(["c2", "c0"]).claims] == ["c0", "c2"]
    assert claims.only([]) == claims
    with pytest.raises(InputError) as caught:
        claims.only(["c0", "c00"])
    assert str(caught.value) == "--only: no claim is called 'c00'; did you mean 'c0'?"


def test_a_file_beside_the_claims_wins_over_a_shipped_instance(write, tmp_path):
    (tmp_path / "sfc").write_bytes((tmp_path / "small.json").read_bytes())
    (claim,) = read_claims(write({"instance": "sfc", "optimal": {"others": "dd"}})).claims
    assert claim.cases[0].instance.name == "small"


def test_an_instance_beside_the_working_directory_is_not_found(write, tmp_path, monkeypatch):
    path = write({"instance": "claims/small.json", "optimal": {"others": "dd"}})
    (tmp_path / "elsewhere" / "claims").mkdir(parents=True)
    (tmp_path / "small.json").rename(tmp_path / "elsewhere" / "claims" / "small.json")
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="neither a file, relative to this one"):
        read_claims(path)
