"""What `--fix` takes: strategies as they are spelt, or as a plan file has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.fix import added, entry_of, is_pattern, matched, nearest
from hypar_opt.instance.operators.given import ENDS
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import click

FILES: Final = "hypar_opt.files_of_fix"
"""Where the option leaves which plan files it read, for who writes files."""

BESIDE: Final = (":forward", ":gradient", ":storage", ":kept", ":recompute")
"""What a plan of operators has beside their words; where these are given, that is decided anew unless it is named."""


def given_words(context: click.Context, option: click.Parameter, values: Sequence[str]) -> dict[str, str] | None:
    """Return words by layer or pattern, of all times that the option was given together; None where it was not.

    Raises
    ------
    InputError
        If one is neither `PATTERN=WORD` nor a plan file, or two do not agree.
    """
    found: dict[str, str] = {}
    for text in values:
        try:
            words, path = _words(text)
            context.meta.setdefault(FILES, []).extend(filter(None, [path]))
            found = added(found, words)
        except InputError as error:
            raise InputError(error.message, file=error.file, line=error.line, field=f"--{option.name}") from None
    return found or None


def _words(text: str) -> tuple[dict[str, str], Path | None]:
    """Return what one value gives, and the file that it names: whatever names a file is one."""
    for path, pattern in _parted(text):
        if _is_file(path) and not Path(text).exists():
            return _of_plan(Path(path), pattern), Path(path)
    if _is_file(text):
        return _of_plan(Path(text), "*"), Path(text)
    if "=" in text:
        return entry_of(text), None
    example = "PATTERN=WORD, for example 'conv*=d...', or a plan file, PLAN.json or PLAN.json:PATTERN"
    raise InputError(f"expected {example}, got {shown(text)}, which is neither that nor a file")


def _parted(text: str) -> Iterator[tuple[str, str]]:
    """Yield what may be the name of a file and a pattern behind it, which may end as a placement's name does."""
    path, colon, pattern = text.rpartition(":")
    if colon:
        yield path, pattern
    if colon + pattern in ENDS and ":" in path:
        file, _, tensor = path.rpartition(":")
        yield file, f"{tensor}:{pattern}"


def _is_file(text: str) -> bool:
    """Return whether a text names a file, or a point of a front's."""
    try:
        return Path(text).is_file() or Path(text.rpartition("#")[0]).is_file()
    except OSError:  # too long for the name of a file
        return False


def _of_plan(path: Path, pattern: str) -> dict[str, str]:
    """Return the words that a plan has for the layers that a pattern stands for."""
    from hypar_opt.solver.plan_reader import read_start

    every, _ = read_start(path)
    beside = BESIDE if not pattern.endswith(ENDS) else tuple(one for one in BESIDE if not pattern.endswith(one))
    words = {name: word for name, word in every.items() if not name.endswith(beside)}
    names = matched(pattern, words)
    if not names:
        what = "matches none of the plan's layers" if is_pattern(pattern) else "is none of the plan's layers"
        near = f"; the nearest is '{nearest(pattern, words)}'" if words else ""
        raise InputError(f"{shown(pattern)} {what}{near}", file=path)
    return {name: words[name] for name in names}
