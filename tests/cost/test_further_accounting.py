"""One accounting more, in the one place that docs/extending/cost-model.md names: everybody knows of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hypar_opt
from hypar_opt.accountings import ACCOUNTINGS

PACKAGE = Path(hypar_opt.__file__).parent
PAGE = PACKAGE.parent / "docs" / "extending" / "cost-model.md"


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Return what a copy of the package with the page's first change says of its accountings."""
    folder = tmp_path_factory.mktemp("further")
    shutil.copytree(PACKAGE, folder / "hypar_opt", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "instances").symlink_to(PACKAGE.parent / "instances")
    change = re.search(r"```diff\n(--- a/hypar_opt/accountings.py.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    added = re.findall(r"^\+(?!\+)(.*)$", change[1], re.MULTILINE)
    before = re.findall(r"^ (.*)$", change[1], re.MULTILINE)[1]
    rules = folder / "hypar_opt" / "accountings.py"
    text = rules.read_text(encoding="utf-8")
    assert text.count(f"{before}\n") == 1
    rules.write_text(text.replace(f"{before}\n", "\n".join([before, *added, ""])), encoding="utf-8")
    asking = Path(__file__).with_name("asking_of_accountings.py")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-P", str(asking)], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_is_one_more(told):
    assert set(told["accountings"]) == {*ACCOUNTINGS, "sender"}


@pytest.mark.parametrize("place", ["options", "schema", "form", "page"])
def test_all_are_offered(told, place):
    assert told[place] == told["accountings"]


def test_arrays_are_compared_under_those_that_say_what_a_level_exchanges(told):
    assert told["compare-arrays"] == [name for name in told["accountings"] if name != "leaf-exact"]


def test_what_is_offered_is_accepted(told):
    """By instance files, by the server, and by claims."""
    assert told["taken"] == {"instance": "sender", "server": "sender", "claim": "sender"}


def test_no_name_is_spelt_elsewhere():
    """What is of one accounting only stands in its record; the judge and the checker are told apart from that."""
    apart = {"boxes", "certificate", "campaign", "step", "accelerator"}
    names = "|".join(map(re.escape, ACCOUNTINGS))
    listed = re.compile(rf"[\"\']({names})[\"\'],\s*[\"\']({names})[\"\']")
    files = [path for end in ("py", "html", "js") for path in PACKAGE.rglob(f"*.{end}")]
    spelt = [
        path.relative_to(PACKAGE).as_posix()
        for path in files
        if path.relative_to(PACKAGE).parts[0] not in apart and listed.search(path.read_text(encoding="utf-8"))
    ]
    assert len(files) > 500
    assert spelt == []
