"""An instance file that is read once and taken under several overrides."""

from __future__ import annotations

import json

import pytest
from helpers import document, linear_chain

from hypar_opt.instance import Overrides, read_instance
from hypar_opt.instance.read import InstanceFile
from hypar_opt.util.errors import InputError

OVERRIDES = (Overrides(), Overrides(batch=16), Overrides(levels=1), Overrides(accounting="receiver"), Overrides())


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "chain.json"
    file.write_text(json.dumps(document(linear_chain(8, 8), [8], levels=2, choices=["dp", "mp"]), default=str))
    return file


def test_it_is_what_reading_anew_gives(path):
    file = InstanceFile(path)
    for one in OVERRIDES:
        assert file.under(one) == read_instance(path, one)


def test_it_is_read_once(path):
    file = InstanceFile(path)
    path.unlink()
    assert file.under(Overrides(batch=32)).batch == 32
    assert file.under(Overrides(batch=32)) is file.under(Overrides(batch=32))


def test_an_override_that_does_not_fit_leaves_the_others(path):
    file = InstanceFile(path)
    for _ in range(2):
        with pytest.raises(InputError):
            file.under(Overrides(accounting="none"))
    assert file.under(Overrides(batch=16)).batch == 16
