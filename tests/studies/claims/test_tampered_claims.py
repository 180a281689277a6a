"""The shipped claims, tampered with: no gain that is printed otherwise is confirmed, nor one of another machine."""

from __future__ import annotations

from decimal import Decimal

import pytest
import yaml

from hypar_opt.instance.shipped import find_array
from hypar_opt.studies.claims import audit, find_claims, read_claims

GAINS = ("performance_gain", "energy_gain")


@pytest.fixture
def shipped():
    return yaml.safe_load(find_claims("hypar-hpca19").read_text(encoding="utf-8"))


@pytest.fixture
def verdicts(tmp_path):
    """Return a function that judges tampered claims."""

    def judged(whole, claims):
        path = tmp_path / "claims.yaml"
        path.write_text(yaml.safe_dump({**whole, "claims": claims}), encoding="utf-8")
        return {row.claim.id: row.verdict.value for row in audit(read_claims(path).claims)}

    return judged


@pytest.mark.sampled(1)
@pytest.mark.parametrize("factor", ["0.9", "1.1"])
def test_numbers_that_are_printed_otherwise(shipped, verdicts, factor):
    claims = [one for one in shipped["claims"] if any(kind in one for kind in GAINS) and "-mp-" not in one["id"]]
    for one in claims:
        statement = next(one[kind] for kind in GAINS if kind in one)
        rough = "~" * statement["value"].startswith("~")
        statement["value"] = f"{rough}{Decimal(statement['value'].strip('~')) * Decimal(factor)}"
    found = verdicts(shipped, claims)
    assert len(found) > 70
    assert [name for name, verdict in found.items() if verdict == "confirmed"] == []


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_another_constant_than_the_fitted_one(shipped, verdicts, factor):
    array = yaml.safe_load(find_array("hypar-16").read_text(encoding="utf-8"))
    array["accelerator"]["energy"] = dict.fromkeys(("add", "multiply", "sram", "dram"), 1)
    array["link"]["bandwidth"] = int(array["link"]["bandwidth"] * factor)
    networks = ["lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e"]
    claims = [one for one in shipped["claims"] if one["id"] in {f"fig6-{name}" for name in networks}]
    for one in claims:
        one["overrides"] = {**one["overrides"], "array": array}
    assert set(verdicts(shipped, claims).values()) == {"refuted"}


def test_another_accounting(shipped, verdicts):
    claims = [one for one in shipped["claims"] if one["id"] in ("fig6-sfc", "fig6-vgg-e", "fig12-torus-vgg-e")]
    for one in claims:
        one["overrides"] = {**one["overrides"], "accounting": "published"}
    assert verdicts(shipped, claims) == {
        "fig6-sfc": "refuted",
        "fig6-vgg-e": "refuted",
        "fig12-torus-vgg-e": "confirmed",
    }  # fmt: skip - an axis cannot tell


def test_words_that_are_no_peak(shipped, verdicts):
    (claim,) = (one for one in shipped["claims"] if one["id"] == "fig9-peak")
    claim["peak"]["strategies"]["fc2"] = "dddm"
    assert verdicts(shipped, [claim]) == {"fig9-peak": "refuted"}
