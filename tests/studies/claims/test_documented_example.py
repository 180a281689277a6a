"""The examples of docs/claims.md, as they stand there; and claims files as an installed package has them."""

from __future__ import annotations

import re
from pathlib import Path

from hypar_opt.studies.claims import audit, find_claims, read_claims, shipped_claims
from hypar_opt.studies.claims.schema import KINDS, ClaimSpec

DOCS = Path(__file__).parents[3] / "docs" / "claims.md"


def test_the_example_comes_out_as_documented(tmp_path):
    text = DOCS.read_text(encoding="utf-8")
    first, second = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    path = tmp_path / "claims.yaml"
    path.write_text(first + second, encoding="utf-8")
    confirmed, refuted, gain = audit(read_claims(path).claims)
    assert (confirmed.verdict, refuted.verdict, gain.verdict) == ("confirmed", "refuted", "confirmed")
    assert "991,211,520 bytes" in text
    assert refuted.judgement.recomputed == "better: 991,211,520 bytes"


def test_every_field_is_documented():
    text = DOCS.read_text(encoding="utf-8")
    assert [name for name in ClaimSpec.model_fields if f"`{name}" not in text] == []
    fields = {field for kind in KINDS for field in _fields(kind)}
    assert [name for name in sorted(fields) if name not in text] == []


def _fields(kind):
    (model, _) = ClaimSpec.model_fields[kind].annotation.__args__
    return [field.alias or name for name, field in model.model_fields.items()]


def test_an_installed_package_has_them_in_a_folder_of_its_own(tmp_path, monkeypatch):
    folder = tmp_path / "_instances" / "claims"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text("", encoding="utf-8")
    monkeypatch.setattr("hypar_opt.instance.shipped._PACKAGE", tmp_path)
    assert shipped_claims() == {"mine": folder / "mine.yaml"}
    assert find_claims("mine") == folder / "mine.yaml"
