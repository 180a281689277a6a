"""reports/accountings: the optimum under each accounting, priced under all others."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from hypar_opt.instance.accountings import ACCOUNTINGS
from reports.accountings.optima import CHOICES, TEN, excess, known, least, optima

FOLDER = Path(__file__).parents[2] / "reports" / "accountings"
CSV = list(csv.DictReader((FOLDER / "accountings.csv").read_text(encoding="utf-8").splitlines()))
PAGE = (FOLDER / "accountings.md").read_text(encoding="utf-8")


def kept(network, choices):
    """Return the exact bytes that the table has, by optimum and accounting."""
    rows = [row for row in CSV if (row["network"], row["choices"]) == (network, " ".join(choices))]
    return {(row["optimum_of"], row["priced_under"]): row["bytes"] for row in rows}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("network", TEN)
@pytest.mark.parametrize("choices", CHOICES, ids=["dm", "dmo"])
def test_the_table_has_what_is_found(network, choices):
    found = optima(network, choices)
    exact = {(one.accounting, name): str(count) for one in found for name, count in one.prices.items()}
    assert kept(network, choices) == exact
    for one in found:
        assert f"**{float(one.prices[one.accounting]) / 1e9:.4g} GB**" in PAGE


def test_no_plan_is_below_the_optimum_of_the_accounting_that_prices_it():
    for network in TEN:
        for choices in CHOICES:
            table = {key: int(count) for key, count in kept(network, choices).items()}
            names = known(choices)
            assert len(table) == len(names) ** 2
            assert all(table[other, name] >= table[name, name] for other in names for name in names)


def test_all_accountings_are_there():
    assert known(CHOICES[0]) == list(ACCOUNTINGS)
    assert set(ACCOUNTINGS) - set(known(CHOICES[1])) == {"as-evaluated"}


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (CHOICES[0], {"published": "2.04", "as-evaluated": "54.12", "receiver": "13.95", "leaf-exact": "2.04"}),
        (CHOICES[1], {"published": "39.75", "receiver": "47.38", "leaf-exact": "4.11"}),
    ],
)
def test_what_the_model_says_it_costs_to_believe_another_one(choices, said):
    tables = [kept(network, choices) for network in TEN]
    paid = "collective"
    for name, share in said.items():
        above = max(int(table[name, paid]) / int(table[paid, paid]) - 1 for table in tables)
        assert f"{100 * above:.2f}" == share


def test_shares_are_of_the_least():
    found = optima("sfc", CHOICES[1])
    by_collective = next(one for one in found if one.accounting == "collective")
    assert f"{float(100 * excess(by_collective, least(found))['leaf-exact']):.2f}" == "19.98"
