"""Reading claims files, and from the names in them instances: all is checked before anything is computed."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.instance import Overrides, array_text, find_instance, shipped_names
from hypar_opt.instance.formats import Document, read_document
from hypar_opt.instance.read import InstanceFile
from hypar_opt.instance.shipped import find_file, is_there, shipped_folder
from hypar_opt.instance.text import shown
from hypar_opt.solver.kinds import network_problem_of
from hypar_opt.studies.claims.checks import Located, check_statement, parts_of
from hypar_opt.studies.claims.claims import Claims, PublishedClaim
from hypar_opt.studies.claims.replacements import Case, Reading, as_argument
from hypar_opt.studies.claims.schema import ClaimSpec, ClaimsSpec
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    document = read_document(find_claims(given), "claims")
    spec = checked(ClaimsSpec, document.data, document.error)
    _check_ids(spec, document)
    cases = Cases(document)
    command = f"hypar-opt audit {shlex.quote(as_argument(given))} --only"
    known = {}
    places = [Located(document, ("claims", i, one.kind)) for i, one in enumerate(spec.claims)]
    for i, (one, place) in enumerate(zip(spec.claims, places, strict=True)):
        known[one.id] = PublishedClaim(one, cases.of(i, one), f"{command} {one.id}")
        check_statement(known[one.id], place)
    claims = (
        replace(one, parts=parts_of(one, known, place)) for one, place in zip(known.values(), places, strict=True)
    )
    return Claims(spec.title, spec.source, document.path, tuple(claims))


def _check_ids(spec: ClaimsSpec, document: Document) -> None:
    seen: set[str] = set()
    for i, claim in enumerate(spec.claims):
        if claim.id in seen:
            raise document.error(f"{shown(claim.id)} is the id of another claim", ("claims", i, "id"))
        seen.add(claim.id)


class Cases:
    """Instances of a claims file, each read once.

    Parameters
    ----------
    document
        The claims file.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._read: dict[tuple[Path, Overrides], Case] = {}
        self._files: dict[Path, InstanceFile] = {}
        self._places: dict[str, tuple[str, Path]] = {}
        self._arrays: dict[str, tuple[str, str | None]] = {}

    def of(self, position: int, spec: ClaimSpec) -> tuple[Case, ...]:
        """Return the instances of a claim under each accounting that its statement looks at.

        Raises
        ------
        InputError
            If an instance is not there, or not as it has to be.
        """
        place = Located(self._document, ("claims", position))
        found = []
        for reading in spec.statement.readings:
            fields = reading.over(spec.overrides)
            array, text = self._array(place, spec, reading, fields.array)
            overrides = Overrides(fields.accounting, fields.batch, fields.levels, text, objective=reading.objective)
            found += [self._case(place, spec, i, reading, (array, overrides)) for i in range(len(spec.names))]
        return tuple(found)

    def _array(
        self, place: Located, spec: ClaimSpec, reading: Reading, given: Mapping[str, Any] | str | None
    ) -> tuple[str, str | None]:
        """Return an array's name for the command line, if it has one, and what it says."""
        try:
            if not isinstance(given, str):
                return "", array_text(given)
            if given not in self._arrays:
                beside = Path(os.path.normpath(self._document.path.parent / given))
                name = as_argument(beside) if is_there(beside) else given
                self._arrays[given] = name, array_text(name)
            return self._arrays[given]
        except InputError as error:
            raise place.error(error.message, (*_whose("array", reading, spec), "array")) from None

    def _case(
        self, place: Located, spec: ClaimSpec, index: int, reading: Reading, replaced: tuple[str, Overrides]
    ) -> Case:
        name = spec.names[index]
        at = ("instance",) if spec.instances is None else ("instances", index)
        try:
            if name not in self._places:
                self._places[name] = self._found(name)
            given, path = self._places[name]
        except InputError as error:
            raise place.error(f"{name}: {error.message}", at) from None
        try:
            array, overrides = replaced
            if (path, overrides) not in self._read:
                file = self._file(path)
                instance = file.under(overrides)
                network_problem_of(instance)  # plans are of layers on one whole array, and what they send is whole
                self._read[path, overrides] = Case(given, overrides, instance, array, file)
            return self._read[path, overrides]
        except InputError as error:
            raise _placed(error, place, spec, reading, path, at) from None

    def _file(self, path: Path) -> InstanceFile:
        if path not in self._files:
            self._files[path] = InstanceFile(path)
        return self._files[path]

    def _found(self, name: str) -> tuple[str, Path]:
        """Return what the command line takes, and the path: relative to the claims file, or of a shipped instance."""
        path = Path(os.path.normpath(self._document.path.parent / name))
        if is_there(path):
            return as_argument(path), path
        names = shipped_names()
        if name in names:
            return name, find_instance(name)
        hint = did_you_mean(Path(name).stem if Path(name).suffix else name, names)
        raise InputError(f"neither a file, relative to this one, nor the name of a shipped instance{hint}")


def _placed(
    error: InputError, place: Located, spec: ClaimSpec, reading: Reading, path: Path, at: tuple[str | int, ...]
) -> InputError:
    """Return the error of an instance as one of the claims file, where that file is to blame."""
    if error.file is None:
        option, _, inside = str(error.field).removeprefix("--").partition(" ")
        said = error.message.split("; try --")[0]  # an option that the audit has not
        message = f"{inside}: {said}" if inside else said
        whose = _whose(option, reading, spec)
        return place.error(message, (*whose, option) if whose[0] == "overrides" or len(whose) > 1 else whose)
    if error.line is None and Path(error.file) == path:
        return place.error(f"{error.file}: {error.message}", at)
    return error


def _whose(option: str, reading: Reading, spec: ClaimSpec) -> tuple[str, ...]:
    """Return the mapping that replaces a field: the claim's overrides, or what its statement replaces."""
    if reading.place and option in reading.fields.model_fields_set:
        return spec.kind, reading.place
    own = option in spec.overrides.model_fields_set and option not in reading.fields.model_fields_set
    return ("overrides",) if own else (spec.kind,)
