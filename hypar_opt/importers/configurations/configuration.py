"""A configuration of a model as Hugging Face's transformers write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.limits import LARGEST_SIZE
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

BYTES: Final[Mapping[str, int]] = {"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "float": 4, "half": 2}
"""Of a number, by the type that a configuration names."""


@dataclass(frozen=True)
class Configuration:
    """What a configuration says.

    Parameters
    ----------
    data
        Its fields.
    path
        Its file; None where it is that of transformers' own defaults.
    """

    data: Mapping[str, Any]
    path: Path | None = None

    def size(self, name: str, default: int | None = None) -> int:
        """Return a number of things; of a field that is not there or null, the default.

        Raises
        ------
        InputError
            If it is none, or is not there and has no default.
        """
        value = self.data.get(name)
        if value is None and default is not None:
            return default
        if type(value) is not int or not 1 <= value <= LARGEST_SIZE:
            got = "nothing" if value is None else shown(value)
            raise self.error(f"expected an integer of 1 to 2^40, got {got}", name)
        return value

    def truth(self, name: str, default: bool) -> bool:
        """Return whether something is so.

        Raises
        ------
        InputError
            If it is neither true nor false.
        """
        value = self.data.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.error(f"expected true or false, got {shown(value)}", name)
        return value

    def choice(self, name: str, known: Collection[str], default: str) -> str:
        """Return one of some words.

        Raises
        ------
        InputError
            If it is another; with the nearest.
        """
        value = self.data.get(name)
        value = default if value is None else value
        if not isinstance(value, str) or value not in known:
            hint = did_you_mean(value, known) if isinstance(value, str) else ""
            raise self.error(f"expected one of {', '.join(known)}, got {shown(value)}{hint}", name)
        return value

    def architecture(self, known: Collection[str], default: str) -> str:
        """Return which of a model's classes is meant, the default where nothing is said.

        Raises
        ------
        InputError
            If it is one that is not known.
        """
        said = self.data.get("architectures")
        first = said[0] if isinstance(said, list | tuple) and said else default
        return Configuration({"architectures": first}, self.path).choice("architectures", known, default)

    def check(self, name: str, wanted: Any, why: str) -> None:
        """Raise `InputError` where a field says something else than what is known."""
        if self.data.get(name, wanted) not in (wanted, None):
            raise self.error(f"expected {shown(wanted)}, got {shown(self.data[name])}: {why}", name)

    @property
    def element_bytes(self) -> int:
        """Of a number."""
        name = "dtype" if self.data.get("dtype") else "torch_dtype"
        return BYTES[self.choice(name, BYTES, "float32")]

    @property
    def labels(self) -> int:
        """How many classes there are: as many as have names, else as many as is said."""
        named = self.data.get("id2label")
        return len(named) if isinstance(named, dict) and named else self.size("num_labels", 2)

    def error(self, message: str, field: str) -> InputError:
        """Return the error of a field."""
        return InputError(message, file=self.path, field=field)
