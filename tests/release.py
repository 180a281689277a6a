"""`make compare-release OF=../old`: are two checkouts' results equal but for versions and times?

    python -m tests.release OLD [NEW] [--keep FOLDER] [--only NAME,NAME]

Certificates, plans, tables, reports and what commands print, of the ten networks, some arrays and placements and two
strategy graphs, the published figures and the evaluation: each of JOBS is run by both checkouts, OLD and NEW (this
one unless told), by the Python of their own `.venv` where there is one: formulations are found by what is installed
there. The source is copied first, so that neither checkout is written to. The clock that results are timed by stands
still, and the date is fixed. Then every file is compared, but for the versions of packages in it. Exit code 1 if any
differs.
"""

from __future__ import annotations

import argparse
import difflib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("hypar_opt", "formulations", "instances", "tests")
"""Of a checkout, what is copied."""
NETWORKS = tuple(sorted(path.stem for path in (ROOT / "instances" / "hypar").glob("*.yaml")))
ROW_STATIONARY = "--array hypar-row-stationary-16"
EXACT = "hypar-dp,joint-dp,cp-sat,milp-highs,data-parallel,model-parallel,one-weird-trick"
JOBS = {
    **{f"{name}.plan": f"solve {name} --workers 1 -o {name}.json --certificate {name}.cert" for name in NETWORKS},
    **{f"{name}.verdict": f"verify {name} {name}.json --certificate {name}.cert" for name in NETWORKS},
    **{f"{name}.checked": f"check-certificate {name}.cert" for name in NETWORKS},
    "greedy": "solve vgg-a --accounting as-evaluated -f hypar-dp --json",
    "joint": "solve lenet-c --array torus-16 --objective comm-time --workers 1 -o joint.json",
    "joint.verdict": "verify lenet-c joint.json",
    "placed": "solve sfc --array ring-16 --objective hop-bytes -f placement-cp-sat --workers 1 -o placed.json",
    "parallelism-first": "solve parallelism-first --workers 1 --json",
    "time": "solve vgg-a --array hypar-16 --objective time -o time.json",
    "product": f"solve lenet-c {ROW_STATIONARY} --objective product:time,energy -o product.json",
    "five-operators": "solve five-operators --workers 1 -o five-operators.json --certificate five-operators.cert",
    "lenet-c-h2": "solve lenet-c-h2 --workers 1 -o lenet-c-h2.json --certificate lenet-c-h2.cert",
    "graph.verdict": "verify lenet-c-h2 lenet-c-h2.json --certificate lenet-c-h2.cert",
    "no-plan": "solve too-little-memory",
    "no-name": "solve lenet-d",
    "torus": "show torus-16 --json",
    "torus.svg": "show torus-16 -o torus.svg",
    "traffic": "show vgg-a --plan time.json",
    "simulation": "simulate vgg-a time.json --overlap full --json --gantt step.svg --trace step.trace",
    "front": f"pareto lenet-c {ROW_STATIONARY} -o front.json --plot front.svg",
    "exploration": "explore lenet-c --array hypar-16 --levels-free 1,4 -o explored",
    "scale": "explore lenet-c --array hypar-16 --scale 0-4 -o scaled",
    "export": "export lenet-c --levels 2 -o exported.json",
    "tables": f"compare {' '.join(NETWORKS)} -f {EXACT} --workers 1 -o tables",
    "all-formulations": "compare sfc lenet-c --workers 1 -o all-formulations --figures",
    "graph-tables": "compare five-operators lenet-c-h2 --workers 1 -o graph-tables",
    "arrays": "compare-arrays sfc --levels 2 --workers 1 -o arrays",
    "audit": "audit hypar-hpca19 --only fig5-sfc --only fig5-vgg-a --workers 1 -o audit",
    "pages": f"report sfc lenet-c -f joint-dp,hypar-dp,cp-sat {ROW_STATIONARY} --accounting as-evaluated -o pages",
    **{f"list-{what}": f"list {what}" for what in ("instances", "formulations", "topologies", "arrays")},
    "schema": "schema",
    "published": "make published",
    "evaluation": "make evaluation",
}
"""What is run, by the names of the files that have what it prints; `make` stands for the module that a target runs."""
CLOCK = "import time\n\ntime.perf_counter = float\n"
VERSIONS = (
    (re.compile(r'"versions": \{[^}]*\}'), '"versions": {}'),
    (re.compile(r"<dt>Versions</dt><dd>.*?</dd>"), "<dt>Versions</dt>"),
)


class Checkout:
    """A copy of a checkout's source, and what it makes in an empty folder."""

    def __init__(self, source: Path, folder: Path) -> None:
        own = source / ".venv" / "bin" / "python"
        self.python = str(own if own.exists() else sys.executable)
        self.makefile = (source / "Makefile").read_text(encoding="utf-8")
        self.copy, self.made = folder / "source", folder / "made"
        self.made.mkdir(parents=True)
        for part in PARTS:
            shutil.copytree(source / part, self.copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        if (source / "reports").exists():
            shutil.copytree(source / "reports", self.copy / "reports", ignore=_written)
        self.given = [one.relative_to(self.copy) for one in (self.copy / "reports").rglob("*") if one.is_file()]
        (self.copy / "sitecustomize.py").write_text(CLOCK, encoding="utf-8")

    def run(self, name: str, job: str) -> None:
        """Run a job, and keep what it prints and how it ends; where it fails, what it says of that, too."""
        ran = subprocess.run(
            [self.python, "-P", *self._arguments(job)], cwd=self.made, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(self.copy), "SOURCE_DATE_EPOCH": "0", "COLUMNS": "200"},
        )  # fmt: skip
        said = ran.stdout + (ran.stderr if ran.returncode else "") + f"exit code {ran.returncode}\n"
        (self.made / f"{name}.txt").write_text(said, encoding="utf-8")

    def _arguments(self, job: str) -> list[str]:
        if job.startswith("make "):
            found = re.search(rf"^{job[5:]}:.*\n\t\S+ -m (\S+)", self.makefile, re.MULTILINE)
            assert found is not None, f"no target of {self.copy} runs {job[5:]}"
            return ["-m", found[1]]
        return ["-c", "from hypar_opt.cli import main; main()", *job.split()]

    def files(self) -> dict[str, str]:
        """Return the content of all that was made, by name; that of archives by member."""
        no_code = shutil.ignore_patterns("__pycache__")
        if (self.copy / "reports").exists():
            shutil.copytree(self.copy / "reports", self.made / "reports", ignore=no_code, dirs_exist_ok=True)
        for one in self.given:
            (self.made / one).unlink()
        found = {}
        for path in sorted(one for one in self.made.rglob("*") if one.is_file()):
            name, content = str(path.relative_to(self.made)), path.read_bytes()
            if zipfile.is_zipfile(io.BytesIO(content)):
                with zipfile.ZipFile(path) as archive:
                    found |= {
                        f"{name}: {member}": without_versions(archive.read(member)) for member in archive.namelist()
                    }
            else:
                found[name] = without_versions(content).replace(str(self.copy), "CHECKOUT")
        return found


def _written(folder: str, names: list[str]) -> list[str]:
    """Return what of a folder of reports is made: neither code that makes it nor what that reads."""
    made = [name for name in names if (Path(folder) / name).is_file() and Path(name).suffix not in {".py", ".yaml"}]
    return [*made, "__pycache__"]


def without_versions(content: bytes) -> str:
    """Return a file without versions; of what is no text the hash; of PDF, whose fonts are in any order, the length."""
    if content.startswith(b"%PDF"):
        return f"{len(content):,} bytes"
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return f"{len(content):,} bytes, SHA-256 {sha256(content).hexdigest()}"
    for versions, instead in VERSIONS:
        text = versions.sub(instead, text)
    return text


def differences(old: dict[str, str], new: dict[str, str], most: int = 12) -> list[str]:
    """Return a paragraph for every file that differs, with the first lines that do."""
    found = []
    for name in sorted(old.keys() | new.keys()):
        if name not in new or name not in old:
            found.append(f"{name}: only in {'OLD' if name in old else 'NEW'}")
        elif old[name] != new[name]:
            lines = difflib.unified_diff(old[name].splitlines(), new[name].splitlines(), "OLD", "NEW", "", "", 0, "")
            shown = [line[:300] for line in lines][2:]
            more = [f"... and {len(shown) - most} lines more"] if len(shown) > most else []
            found.append("\n  ".join([f"{name}:", *shown[:most], *more]))
    return found


def main(old: Path, new: Path, folder: Path, jobs: dict[str, str]) -> int:
    """Run the jobs in both checkouts in turn; print what differs and return the exit code."""
    both = [Checkout(source.resolve(), folder / name) for name, source in (("old", old), ("new", new))]
    for position, (name, job) in enumerate(jobs.items(), start=1):
        print(f"{position} of {len(jobs)}: {job}", file=sys.stderr, flush=True)
        for checkout in both:
            checkout.run(name, job)
    made = [checkout.files() for checkout in both]
    found = differences(*made)
    print(*found, f"{len(made[1])} files, {f'{len(found)} differ' if found else 'equal'}", sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.release")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--keep", type=Path, help="a folder that is not there yet, for what both make")
    parser.add_argument("--only", default=",".join(JOBS))
    asked = parser.parse_args()
    chosen = {name: JOBS[name] for name in asked.only.split(",")}
    if asked.keep is not None:
        sys.exit(main(asked.old, asked.new, asked.keep.resolve(), chosen))
    with tempfile.TemporaryDirectory(prefix="hypar-opt-release.") as made:
        sys.exit(main(asked.old, asked.new, Path(made), chosen))
