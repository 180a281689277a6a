"""A package to which a page of docs/extending adds something, and what it then says of itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import hypar_opt

PACKAGE = Path(hypar_opt.__file__).parent
PAGES = PACKAGE.parent / "docs" / "extending"


def changes_of(page):
    """Return by file what a page changes in it, in order."""
    blocks = re.findall(r"```diff\n(.*?)```", (PAGES / page).read_text(encoding="utf-8"), re.DOTALL)
    files = [one for block in blocks for one in re.split(r"^(?=--- a/)", block, flags=re.MULTILINE) if one]
    return {re.match(r"--- a/(\S+)", one)[1]: one for one in files}


def record_of(page):
    """Return a page's first change: a record, and nothing else."""
    return list(changes_of(page).values())[:1]


def told(folder, changes, script):
    """Return what a script prints of a copy of the package with some changes."""
    shutil.copytree(PACKAGE, folder / "hypar_opt")
    shutil.copytree(PACKAGE.parent / "formulations", folder / "formulations")
    (folder / "instances").symlink_to(PACKAGE.parent / "instances")
    for change in changes:
        subprocess.run(["git", "apply", "-"], cwd=folder, input=change, text=True, check=True)
    asking = Path(__file__).with_name(script)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-P", str(asking)], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def spelt(names, apart, form="[\"']({0})[\"'],\\s*[\"']({0})[\"']"):
    """Return the files of the package, but for some, in which two of some names stand beside each other."""
    listed = re.compile(form.format("|".join(map(re.escape, names))))
    files = [path for end in ("py", "html", "js") for path in PACKAGE.rglob(f"*.{end}")]
    assert len(files) > 100
    known = {path.relative_to(PACKAGE).as_posix(): path for path in files}
    return [
        name
        for name, path in known.items()
        if not name.startswith(apart) and listed.search(path.read_text(encoding="utf-8"))
    ]
