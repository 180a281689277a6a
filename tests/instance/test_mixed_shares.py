"""Shares of unlike halves: in files, in short, and in plan files."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt import load
from hypar_opt.instance.mixed_shares import SharesError, read_shares, said_shares, shares_of, shares_text
from hypar_opt.instance.shares import ExactShares, GivenShares, GridShares, WholeShares
from hypar_opt.solver.plan_file import OverridesClaim
from hypar_opt.util.errors import InputError

SHARE = st.fractions(0, 1).filter(lambda share: 0 < share < 1)
PAIR = SHARE.map(lambda share: [str(share), str(1 - share)])
SAID = st.one_of(
    st.sampled_from(["equal", "exact"]),
    PAIR,
    st.fixed_dictionaries({"parts": st.integers(2, 10**6)}),
    st.fixed_dictionaries({"grid": st.integers(2, 10**6)}),
    st.dictionaries(st.sampled_from(["root", "0", "1", "01"]), PAIR, min_size=1),
)


@given(SAID)
def test_in_short_as_in_files(said):
    assert read_shares(shares_text(said)) == said_shares(said)


@given(SHARE, SHARE)
def test_two_shares_are_the_whole(first, second):
    if first + second == 1:
        assert shares_of(said_shares([str(first), str(second)]), ("root",)) == GivenShares((first,))
    else:
        with pytest.raises(SharesError, match="sum to 1"):
            said_shares([str(first), str(second)])


def test_long_decimals_are_kept():
    share = "0." + "123456789" * 8
    rest = "0." + "876543210" * 7 + "876543211"
    instance = load("mixed-alexnet", shares=f"{share},{rest}")
    assert instance.shares.first == (Fraction(share),)
    assert load("mixed-alexnet", shares=instance.to_dict()["cost"]["shares"]).spec == instance.spec


def test_a_number_has_one_form_however_it_is_written():
    ways = ([Fraction(7, 10), 0.3], ["7/10", "3/10"], ["0.70", "3e-1"], "7/10, 0.3")
    hashes = {load("mixed-alexnet", shares=way).to_yaml() for way in ways}
    assert len(hashes) == 1
    assert "shares: [0.7, 0.3]" in hashes.pop()


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("equal", GivenShares((Fraction(1, 2),) * 3)),
        ("2/3,1/3", GivenShares((Fraction(2, 3),) * 3)),
        ("root=7/10,3/10;0=1/2,1/2;1=1/3,2/3", GivenShares((Fraction(7, 10), Fraction(1, 2), Fraction(1, 3)))),
        ("parts=64", WholeShares(64)),
        ("grid=16", GridShares(16)),
        ("exact", ExactShares()),  # of one split
    ],
)
def test_an_instance_has_what_is_said_and_plans_say_it_again(said, found):
    name = "mixed-alexnet" if said == "exact" else "mixed-three-kinds"
    instance = load(name, shares=said, barrier="layer")
    assert (instance.shares, instance.barrier.name) == (found, "layer")
    again = load(name, **OverridesClaim.model_validate(dict(instance.overrides)).given)
    assert (again.spec, again.sha256) == (instance.spec, instance.sha256)


@pytest.mark.parametrize(
    "said",
    [True, 1, {}, {"parts": True}, [None, 1], [0.5, "x"], {"parts": 4, "root": [0.5, 0.5]}, {"grid": 4, "parts": 4}],
)
def test_what_is_no_share_in_a_file(said):
    with pytest.raises(SharesError):
        said_shares(said)


@pytest.mark.parametrize(
    "said", ["", "7/0,1", "1/2", "root", "root=1;1=2", "=1,2", "root=.5,.5;root=.5,.5", "parts=x", "grid=0", 7]
)
def test_what_is_no_share_in_short(said):
    with pytest.raises(InputError) as caught:
        read_shares(said)
    assert caught.value.field.startswith("--shares")
