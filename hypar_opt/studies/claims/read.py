"""Reading claims files: everything is checked before anything is computed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from hypar_opt.instance.formats import read_document
from hypar_opt.instance.shipped import find_file, shipped_folder
from hypar_opt.instance.text import shown
from hypar_opt.studies.claims.cases import Cases
from hypar_opt.studies.claims.checks import check_statement
from hypar_opt.studies.claims.claims import Claims, PublishedClaim
from hypar_opt.studies.claims.locations import Located
from hypar_opt.studies.claims.parts import with_parts
from hypar_opt.studies.claims.spelling import as_argument

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.formats import Document
    from hypar_opt.studies.claims.schema import ClaimsSpec


def shipped_claims() -> dict[str, Path]:
    """Return the paths of the shipped claims files, by name, sorted."""
    return {file.stem: file for file in sorted((shipped_folder() / "claims").glob("*.yaml"))}


def find_claims(name_or_path: str) -> Path:
    """Return the path of a claims file: that of a file if there is one, else of a shipped one.

    Raises
    ------
    InputError
        If there is neither; with the nearest shipped name.
    """
    return find_file(name_or_path, shipped_claims(), "the name of shipped claims", listed=True)


def read_claims(name_or_path: str | Path) -> Claims:
    """Read and check a claims file and the instances that it names.

    Parameters
    ----------
    name_or_path
        For example `hypar-hpca19` or `my-claims.yaml`; docs/claims.md has the format.

    Raises
    ------
    InputError
        If something is wrong; names the file, line and field.
    """
    from hypar_opt.instance.faults import checked
    from hypar_opt.studies.claims.schema import ClaimsSpec

    given = str(name_or_path)
    document = read_document(find_claims(given))
    spec = checked(ClaimsSpec, document.data, document.error)
    _check_ids(spec, document)
    cases = Cases(document)
    command = f"hypar-opt audit {shlex.quote(as_argument(given))} --only"
    claims = []
    for i, one in enumerate(spec.claims):
        claim = PublishedClaim(one, cases.of(i, one), f"{command} {one.id}")
        check_statement(claim, Located(document, ("claims", i, one.kind)))
        claims.append(claim)
    return Claims(spec.title, spec.source, document.path, with_parts(claims, document))


def _check_ids(spec: ClaimsSpec, document: Document) -> None:
    seen: set[str] = set()
    for i, claim in enumerate(spec.claims):
        if claim.id in seen:
            raise document.error(f"{shown(claim.id)} is the id of another claim", ("claims", i, "id"))
        seen.add(claim.id)
