"""YAML and JSON of the pages: read by the code that reads a user's, fragments in the place where they belong."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import yaml

from tests.docs.comparing import unlike

BASE = {
    "schema": "schema: hypar-opt/instance/1",
    "name": "name: of-the-documentation",
    "batch": "batch: 16",
    "network": "network: {input: [8], layers: [{name: fc, linear: {features: 4}}]}",
    "array": (
        "array: {topology: h-tree, levels: 1, placement: identity, link: {bandwidth: 1.0e+9, energy: 1.0e-11}, "
        "accelerator: {model: as-evaluated, rate: 84.0e+9, "
        "energy: {add: 1.0e-12, multiply: 4.0e-12, sram: 5.0e-12, dram: 6.4e-10}}}"
    ),
}
"""What completes a fragment of an instance."""
OPTIONAL = ("cost", "objective", "subject_to", "fix", "precision")
CLAIMS = "schema: hypar-opt/claims/1\ntitle: x\nsource: x\nclaims:\n"


def check_yaml(body: str, folder: Path) -> None:
    """Read an instance, an array, a network, claims, or a fragment of them; errors are raised."""
    from hypar_opt.instance import load
    from hypar_opt.studies.claims import read_claims

    for i, text in enumerate(re.split(r"^---\n", body, flags=re.MULTILINE)):
        whole, is_claims = _completed(text)
        path = folder / f"of-the-page-{i}.yaml"
        path.write_text(whole, encoding="utf-8")
        (read_claims if is_claims else load)(path)
        path.unlink()


def _completed(text: str) -> tuple[str, bool]:
    found = yaml.safe_load(text)
    if isinstance(found, list):
        return CLAIMS + text, True
    if "claims" in found:
        return text, True
    if str(found.get("schema")).startswith(("hypar-opt/pipeline/", "hypar-opt/collective/", "hypar-opt/task-graph/")):
        return text, False
    for key, mark in (("array", "topology"), ("network", "layers")):
        if mark in found:
            found, text = {key: found}, f"{key}:\n" + "".join(f"  {line}\n" for line in text.splitlines())
    unknown = set(found) - set(BASE) - set(OPTIONAL)
    assert not unknown, f"a YAML block that is neither an instance nor claims, nor a part of either: {sorted(unknown)}"
    return "\n".join([line for key, line in BASE.items() if key not in found] + [text]), False


def check_json(body: str, folder: Path, like: str) -> None:
    """Parse JSON; one with elisions and comments is compared with the file that it is said to be like."""
    if not like:
        json.loads(body)
        return
    name, _, member = like.partition(" ")
    real = zipfile.ZipFile(folder / name).read(member) if member else (folder / name).read_bytes()
    found = unlike(yaml.safe_load(body), json.loads(real))  # flow style allows comments and `...`
    assert found is None, f"not like {like}: {found}"
