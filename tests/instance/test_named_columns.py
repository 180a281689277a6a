"""CSV files of named columns: what is read, and what is wrong with one, with its line."""

from __future__ import annotations

import pytest

from hypar_opt.instance.columns import read_columns
from hypar_opt.util.errors import InputError


def read(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return list(read_columns(path, ("layer", "norm")))


def test_columns_in_any_order_without_spaces_and_empty_rows(tmp_path):
    found = read(tmp_path, "norm , layer\n 1.5,a \n,\n2,'b'\n")
    assert found == [(2, {"norm": "1.5", "layer": "a"}), (4, {"norm": "2", "layer": "'b'"})]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("layer,nrom\n", 1, "expected layer, norm, got 'nrom'; did you mean 'norm'?"),
        ("", 1, "expected a column layer, once"),
        ("layer,norm,norm\n", 1, "expected a column norm, once"),
        ("layer,norm\na,1\nb\n", 3, "expected 2 columns, got 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, line, said):
    with pytest.raises(InputError) as raised:
        read(tmp_path, text)
    assert (raised.value.line, raised.value.message) == (line, said)
