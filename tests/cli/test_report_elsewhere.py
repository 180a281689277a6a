"""A report's folder is enough: every command on its pages runs in a copy of it, where nothing else is."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from helpers import document, linear_chain

from hypar_opt.report.pages.inputs import written_again

COMMAND = re.compile(r'<div class="copyable"><code>(.*?)</code>', re.DOTALL)
GRAPH = {"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"ends": ["a", "b"], "bandwidth": 1000}]}


@pytest.fixture
def nets(tmp_path, monkeypatch):
    """Own instances, one of them of several files, an array, and claims on them; the current folder is theirs."""
    home = tmp_path / "home"
    (home / "nets").mkdir(parents=True)
    (home / "parts").mkdir()
    whole = document(linear_chain(8, 8), [8], batch=4, levels=1)
    parts = {"nets/one net.json": {**whole, "name": "one net", "network": {"file": "../parts/network.json"}}}
    parts["nets/two.json"] = {**whole, "name": "two"}
    parts["parts/network.json"] = whole["network"]
    parts["parts/array.json"] = {"topology": "custom", "levels": 1, "placement": "identity", "graph": GRAPH}
    claim = {"id": "a", "source": "T", "text": "t", "instance": "nets/two.json", "optimal": {"formulation": "hypar-dp"}}
    gain = {"formulation": "hypar-dp", "communication_GB": "1"}
    other = {**claim, "id": "b", "instance": "sfc", "overrides": {"levels": 1}, "total": gain}
    del other["optimal"]
    parts["claims.json"] = {"schema": "hypar-opt/claims/1", "title": "T", "source": "n", "claims": [claim, other]}
    for name, data in parts.items():
        (home / name).write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.chdir(home)
    return home


def commands(folder):
    found = (
        html.unescape(text) for page in sorted(folder.glob("*.html")) for text in COMMAND.findall(page.read_text())
    )
    return list(dict.fromkeys(found))


def moved(nets, tmp_path, monkeypatch):
    """Move the report to where nothing that it was made of is, and go there."""
    there = tmp_path / "there"
    shutil.copytree(nets / "report", there)
    shutil.rmtree(nets)
    monkeypatch.chdir(there)
    return there


SMALL = ("-f", "joint-dp,data-parallel", "--without", "front,exploration,scaling", "-o", "report")


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "words",
    [
        ("nets/one net.json", "sfc", "--levels", "1", "--array", "parts/array.json", *SMALL),
        ("nets", "--claims", "claims.json", *SMALL),
    ],
    ids=["an instance and an array", "a folder and claims"],
)
def test_every_command_runs_in_the_reports_folder(run, nets, tmp_path, monkeypatch, words):
    assert run("report", *words).code == 0
    moved(nets, tmp_path, monkeypatch)
    found = commands(tmp_path / "there")
    assert {shlex.split(one)[1] for one in found} >= {"verify", "report"}
    for one in found:
        ran = run(*shlex.split(one)[1:])
        assert (ran.code, ran.err) == (0, ""), one
    assert (tmp_path / "report-again" / "index.html").is_file()
    assert [path.parent for path in (tmp_path / "there").rglob("index.html")] == [tmp_path / "there"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("-o pages", "-o ../pages-again"),
        ("-opages", "-o../pages-again"),
        ("--output=my/pages", "--output=../pages-again"),
        ("--output 'my pages/'", "--output '../my pages-again'"),
        ("-o .", "-o ../here-again"),
        ("-o /", "-o ../report-again"),
    ],
)
def test_the_command_that_makes_a_report_again_writes_beside_it(tmp_path, monkeypatch, typed, offered):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert (
        written_again(f"hypar-opt report sfc -f joint-dp {typed} -q")
        == f"hypar-opt report sfc -f joint-dp {offered} -q"
    )


@pytest.mark.slow
def test_what_the_pages_offer_for_copying_works_in_a_shell(run, nets, tmp_path, monkeypatch):
    """As whoever opens the folder does it: in a process of its own, with nothing else there."""
    given = ("nets/one net.json", "lenet-c", "--levels", "1", "--array", "parts/array.json", *SMALL[:2], *SMALL[-2:])
    assert run("report", *given, "--without", "exploration,scaling").code == 0
    there = moved(nets, tmp_path, monkeypatch)
    found = commands(there)
    assert len(found) >= 4
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {**os.environ, "PATH": path}
    for one in found:
        ran = subprocess.run(one, shell=True, cwd=there, env=own, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, ""), one


def test_every_file_that_a_page_names_is_there(run, nets, tmp_path, monkeypatch):
    """Those of shipped instances and arrays, too: whoever opens the folder may have another release."""
    assert run("report", "lenet-c", "nets/two.json", "--array", "h-tree-16", "--levels", "1", *SMALL).code == 0
    there = moved(nets, tmp_path, monkeypatch)
    for page in ("lenet-c.html", "two.html"):
        links = re.findall(r'href="([^"#]+)" download', (there / page).read_text())
        assert {f"inputs/{page[:-5]}.json", "inputs/h-tree-16.json"} <= set(links)
        assert [one for one in links if not (there / one).is_file()] == []
    assert run("verify", "inputs/lenet-c.json", "plans/lenet-c/joint-dp.json").code == 0
    words = ("--array", "inputs/h-tree-16.json", "--levels", "1", "--quiet")
    costs = [run("solve", name, *words).out.split(" in ")[0] for name in ("lenet-c", "inputs/lenet-c.json")]
    assert costs[0] == costs[1]


@pytest.mark.slow
def test_every_point_of_a_front_has_a_plan_file_that_is_verified(run, nets, tmp_path, monkeypatch):
    words = ("lenet-c", "--array", "hypar-row-stationary-16", *SMALL[:2], *SMALL[-2:])
    assert run("report", *words, "--without", "exploration,scaling,regrets").code == 0
    there = moved(nets, tmp_path, monkeypatch)
    page = (there / "lenet-c.html").read_text()
    points = json.loads(re.search(r"data-points>(.*?)</script>", page, re.DOTALL)[1])["plans"]
    files = sorted(path.relative_to(there).as_posix() for path in (there / "fronts").rglob("*.json"))
    assert sorted(one["file"] for one in points) == files and len(files) > 1
    for number, one in enumerate(points, start=1):
        assert f'<li id="point-{number}"><a href="{one["file"]}" download>' in page
        ran = run(*shlex.split(one["command"])[1:])
        assert (ran.code, ran.err) == (0, ""), one
    times = [json.loads((there / one["file"]).read_text())["cost"]["time_s"] for one in points]
    assert times == sorted(times, key=Fraction) and len(set(times)) == len(times)


@pytest.mark.slow
def test_a_report_of_its_own_plans_does_not_take_those_of_the_front_for_them(run, nets):
    words = ("sfc", "--array", "hypar-row-stationary-16", "--levels", "2", *SMALL[:2])
    assert run("report", *words, "--without", "exploration,scaling,regrets", "-o", "first").code == 0
    assert run("report", "--plans", "first/plans", *SMALL[2:]).code == 0
    assert {path.name for path in (nets / "report" / "plans").rglob("*.json")} == {
        "joint-dp.json",
        "data-parallel.json",
    }


@pytest.mark.slow
def test_a_report_of_plans_names_its_own(run, nets, tmp_path, monkeypatch):
    assert run("report", "nets", *SMALL[:-1], "first").code == 0
    assert run("report", "nets", "--plans", "first/plans", *SMALL[2:]).code == 0
    moved(nets, tmp_path, monkeypatch)
    for one in commands(tmp_path / "there"):
        ran = run(*shlex.split(one)[1:])
        assert (ran.code, ran.err) == (0, ""), one


def test_a_file_that_has_changed_since_is_not_put_beside_the_pages(run, nets, monkeypatch):
    from hypar_opt.report.pages import inputs

    def changed(found, instance):
        (nets / "nets/two.json").write_text((nets / "nets/two.json").read_text().replace('"batch": 4', '"batch": 8'))
        kept(found, instance)

    kept = inputs._keep_instance
    monkeypatch.setattr(inputs, "_keep_instance", changed)
    ran = run("report", "nets/two.json", *SMALL)
    assert ran.code == 1
    assert ran.err == "error: nets/two.json is not beside the pages: is not what was read any more\n"
    assert not (nets / "report" / "inputs").exists()
