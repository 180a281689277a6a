"""From the names in a claims file to instances."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.instance import Overrides, array_text, find_instance, read_instance, shipped_names
from hypar_opt.instance.shipped import is_there
from hypar_opt.studies.claims.locations import Located
from hypar_opt.studies.claims.replacements import Case
from hypar_opt.studies.claims.spelling import as_argument
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.formats import Document
    from hypar_opt.studies.claims.replacements import Reading
    from hypar_opt.studies.claims.schema import ClaimSpec


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
            return self._case_of(given, path, *replaced)
        except InputError as error:
            raise _placed(error, place, spec, reading, path, at) from None

    def _case_of(self, given: str, path: Path, array: str, overrides: Overrides) -> Case:
        key = path, overrides
        if key not in self._read:
            self._read[key] = Case(given, overrides, read_instance(path, overrides), array)
        return self._read[key]

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
