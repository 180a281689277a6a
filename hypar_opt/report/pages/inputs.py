"""The files that a report's commands read, put beside its pages, and the commands as they run there."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.exact import plain
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.read import load
from hypar_opt.instance.sources import array_sources, sources_of
from hypar_opt.report.content import Report, Subject, slug_of
from hypar_opt.report.pages.overview import asked
from hypar_opt.report.pages.plans import plan_paths
from hypar_opt.studies.claims.read import shipped_claims
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.studies.claims import Claims

FOLDER: Final = "inputs"
OTHERS: Final = ("-o", "--output", "--title", "-f", "--formulations")
"""Options whose words name no input."""
NAMING: Final = ("instance", "instances", "array")
"""Fields of a claims file that may name other files, relative to it."""


@dataclass
class Inputs:
    """The files that commands name.

    Parameters
    ----------
    files
        By their paths in the report; each is whole, with what it refers to.
    words, plans
        By the path that was typed, what stands for it in the report's folder; plans by themselves, as a folder may
        have instances too.
    of
        By an instance's place among the report's, its files' paths in the report, by what they are called.
    faults
        What is not beside the pages, and why.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    words: dict[Path, list[str]] = field(default_factory=dict)
    plans: dict[Path, list[str]] = field(default_factory=dict)
    of: dict[str, dict[str, str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def asked(self, instance: Instance | OperatorInstance) -> str:
        """Return what names an instance on a command line in the report's folder."""
        word = asked(instance)
        return self.words.get(_place(word), [word])[0] if instance.source is not None else word

    def command(self, text: str) -> str:
        """Return a command as it runs in the report's folder; a folder becomes what was taken from it."""
        made: list[str] = []
        for word in shlex.split(text):
            before = made[-1] if made else ""
            option, _, value = word.partition("=") if word.startswith("--") else ("", "", word)
            known = self.plans if "--plans" in (option, before) else self.words
            here = [value] if (option or before) in OTHERS else known.get(_place(value), [value])
            if option:
                made += [f"{option}={one}" for one in here] if value else [word]
            elif before == "--plans":
                made += [*here[:1], *(one for path in here[1:] for one in (before, path))]
            else:
                made += here
        return shlex.join(made)

    def keep(self, path: Path | str, name: str, data: Any, *, named: bool = True) -> str | None:
        """Keep what a file says; return where, or None: one of more digits than JSON's readers keep cannot be.

        Parameters
        ----------
        named
            Whether commands name the file; they name shipped ones by their names.
        """
        try:
            content = (json.dumps(plain(data), indent=1) + "\n").encode()
        except ValueError as error:
            self.faults.append(f"{path} is not beside the pages: {error}")
            return None
        stem = plain_stem = slug_of(name) or "input"
        while self.files.get(f"{FOLDER}/{stem}.json", content) != content:
            stem = f"{plain_stem}-{len(self.files)}"
        self.files[f"{FOLDER}/{stem}.json"] = content
        if named:
            self.words[_place(path)] = [f"{FOLDER}/{stem}.json"]
        return f"{FOLDER}/{stem}.json"


def inputs_of(report: Report) -> Inputs:
    """Return the files that a report's pages and commands name; commands name those that are shipped by their names."""
    found = Inputs()
    for subject in report.subjects:
        path = _keep_instance(found, subject.instance)
        found.of[subject.slug] = {} if path is None else {"instance": path}
    if report.claims is not None:
        _keep_claims(found, report.claims)
    _keep_array(found, report)
    for subject in report.subjects:
        _keep_places(found, subject)
    return found


def as_run_there(report: Report, inputs: Inputs) -> Report:
    """Return a report whose commands run in its folder."""
    rows, come_from = [], report.provenance
    for row in report.rows:
        judgement = replace(row.judgement, command=inputs.command(row.judgement.command))
        claim = replace(row.claim, command=inputs.command(row.claim.command))
        rows.append(replace(row, judgement=judgement, claim=claim))
    if _is_report(come_from.command):
        come_from = replace(come_from, command=inputs.command(written_again(come_from.command)))
    return replace(report, provenance=come_from, rows=tuple(rows))


def written_again(command: str) -> str:
    """Return a report's command that writes beside the folder in which it runs, which is the report's own."""
    made: list[str] = []
    for word in shlex.split(command):
        glued = next((option for option in ("--output=", "-o") if word.startswith(option) and word != option), "")
        if glued or made[-1:] in (["-o"], ["--output"]):
            made.append(f"{glued}../{Path(word.removeprefix(glued)).resolve().name or 'report'}-again")
        else:
            made.append(word)
    return shlex.join(made)


def _is_report(command: str) -> bool:
    """Return whether this is a command of this program's, and not what another calls itself."""
    return command.startswith("hypar-opt report ")


def _place(path: Path | str) -> Path:
    try:
        return Path(path).resolve()
    except (OSError, ValueError, RuntimeError):  # a word that no path can be
        return Path()


def _keep_instance(found: Inputs, instance: Instance | OperatorInstance) -> str | None:
    """Keep an instance's file, unless there is none, or it is no longer what was read; return where it is kept."""
    source = instance.source
    if source is None:
        return None
    if _place(source) in found.words:
        return found.words[_place(source)][0]
    try:
        if load(source).sha256 != instance.sha256:
            raise InputError("is not what was read any more", file=source)
        data, named = sources_of(read_document(source)).data, asked(instance) == str(source)
        return found.keep(source, instance.name, data, named=named)
    except InputError as error:
        found.faults.append(f"{source} is not beside the pages: {error.message}")
        return None


def _keep_array(found: Inputs, report: Report) -> None:
    """Keep the file of `--array`, a shipped one's too: what it says stands among the instances' overrides."""
    words = shlex.split(report.provenance.command) if _is_report(report.provenance.command) else []
    given = [value for option, value in pairwise(words) if option == "--array"]
    given += [word.removeprefix("--array=") for word in words if word.startswith("--array=")]
    name = Path(given[-1]).stem if given else "array"
    for subject in report.subjects:
        said = subject.instance.overrides.get("array")
        if said is None:
            continue
        path = found.keep(given[-1] if given else name, name, said, named=bool(given) and Path(given[-1]).is_file())
        if path is not None:
            found.of[subject.slug]["array"] = path


def _keep_claims(found: Inputs, claims: Claims) -> None:
    """Keep a claims file that is not shipped, and the files that it names."""
    if claims.path in shipped_claims().values():
        return
    for case in (case for claim in claims.claims for case in claim.cases):
        _keep_instance(found, case.instance)
        if case.array and Path(case.array).is_file() and _place(case.array) not in found.words:
            found.keep(case.array, Path(case.array).stem, array_sources(Path(case.array)).array)
    beside = {path: Path(words[0]).name for path, words in found.words.items()}
    data = _renamed(read_document(claims.path).data, claims.path, beside)
    found.keep(claims.path, claims.path.stem, data)


def _renamed(part: Any, path: Path, beside: dict[Path, str], name: str = "") -> Any:
    """Return what a claims file says, with the names of files as they stand beside it."""
    if isinstance(part, dict):
        return {key: _renamed(one, path, beside, key) for key, one in part.items()}
    if isinstance(part, list):
        return [_renamed(one, path, beside, name) for one in part]
    if not isinstance(part, str) or name not in NAMING:
        return part
    return beside.get(_place(path.parent / part), part)


def _keep_places(found: Inputs, subject: Subject) -> None:
    """Note the folders that instances and plans were taken from, and the plans' own files."""
    paths = plan_paths(subject)
    for named in subject.plans:
        if named.source:
            place = _place(named.source)
            for one in (place, *place.parents):
                found.plans.setdefault(one, []).append(paths[named.name])
    if subject.instance.source is not None:
        found.words.setdefault(_place(subject.instance.source), [asked(subject.instance)])
        found.words.setdefault(_place(subject.instance.source).parent, []).append(found.asked(subject.instance))
