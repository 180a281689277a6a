"""Which files are the project's own, and which are of others."""

from __future__ import annotations

from pathlib import Path

from hypar_opt.instance.formats.format import File


def is_own(model: str) -> bool:
    """Return whether a model is one of the project's own, by its name, or by its file's: those of others are no YAML.

    JSON says by its `schema` whose it is.
    """
    path = Path(model)
    if not path.is_file():
        return not path.suffix
    ending = path.suffix.lower()
    return ending in (".yaml", ".yml") or (ending == ".json" and '"hypar-opt/' in File(path, "a text file").text)
