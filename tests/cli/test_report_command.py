"""hypar-opt report, in this process."""

from __future__ import annotations

import csv
import json
import re
import signal
import time
from dataclasses import replace

import pytest

from hypar_opt.cli.invoke import invoke
from hypar_opt.report.charts import registry

SMALL = ("-f", "hypar-dp,joint-dp", "--without", "front,exploration,scaling")


def files_of(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
def test_a_report_is_a_folder_of_pages(run, tmp_path):
    ran = run("report", "sfc", "lenet-c", *SMALL, "--title", "Two networks", "-o", tmp_path / "r")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0].startswith("2 instances, 4 plans; ")
    assert ran.out.splitlines()[1] == f"written: {tmp_path / 'r' / 'index.html'}"
    written = files_of(tmp_path / "r")
    assert {"index.html", "sfc.html", "lenet-c.html", "manifest.json", "data/summary.csv"} <= written
    assert {name for name in written if name.startswith("plans/")} == {
        f"plans/{name}/{who}.json" for name in ("sfc", "lenet-c") for who in ("hypar-dp", "joint-dp")
    }
    assert not any(name.startswith("figures/") or name == "audit.html" for name in written)
    index = (tmp_path / "r" / "index.html").read_text()
    assert "<h1>Two networks</h1>" in index
    assert not re.findall(r"(?:src|href)=.?(?:https?:)?//", index)


def test_plans_that_are_written_make_the_same_report_without_solving(run, tmp_path, monkeypatch):
    assert run("report", "lenet-c", *SMALL, "--accounting", "as-evaluated", "-o", tmp_path / "one").code == 0

    def refused(*_, **__):
        raise AssertionError("it solves")

    monkeypatch.setattr("hypar_opt.studies.cell_pieces.solve", refused)
    sections = ("--without", "front,exploration,scaling")
    ran = run("report", "--plans", tmp_path / "one" / "plans", *sections, "-o", tmp_path / "two")
    assert (ran.code, ran.err) == (0, "")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    one, two = (rows_of(tmp_path / folder / "data/summary.csv") for folder in ("one", "two"))
    times = [[float(row.pop("runtime_s")) for row in rows] for rows in (one, two)]
    assert (one, times[0]) == (two, pytest.approx(times[1], abs=1.1e-4))  # plan files have them rounded, tables again
    for path in (tmp_path / "one" / "plans").rglob("*.json"):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
    assert "from a plan file: its cost is recomputed here" in (tmp_path / "two" / "lenet-c.html").read_text()


@pytest.mark.slow
def test_the_order_of_plans_does_not_depend_on_where_they_come_from(run, tmp_path):
    sections = ("--without", "front,exploration,scaling")
    names = "data-parallel,brute-force,cp-sat,joint-dp,hypar-dp"
    run("report", "sfc", "-f", names, *sections, "-o", tmp_path / "one")
    run("report", "--plans", tmp_path / "one/plans", *sections, "-o", tmp_path / "two")
    for folder in ("one", "two"):
        rows = rows_of(tmp_path / folder / "data/summary.csv")
        assert [row["formulation"] for row in rows] == [
            "hypar-dp",
            "joint-dp",
            "cp-sat",
            "brute-force",
            "data-parallel",
        ]
        first, *_ = re.findall(r'<option value="([^"]*)">', (tmp_path / folder / "sfc.html").read_text())
        assert first == "joint-dp"


def test_a_chart_that_fails_loses_no_other(run, tmp_path, monkeypatch):
    def broken(_):
        raise ZeroDivisionError("a bug <made up>")

    known = registry.figures()
    monkeypatch.setattr(registry, "figures", lambda: {**known, "pair": replace(known["pair"], draw=broken)})
    ran = run("report", "sfc", "-f", "joint-dp,data-parallel", *SMALL[2:], "-o", tmp_path / "r", "--json")
    fault = "sfc: the chart 'Two plans side by side' failed: ZeroDivisionError: a bug <made up> (test_report_command.py"
    assert ran.code == 1
    assert ran.err.startswith(f"error: {fault}")
    assert json.loads(ran.out)["faults"][0].startswith(fault)
    for page in ("index.html", "sfc.html"):
        assert "ZeroDivisionError: a bug &lt;made up&gt;" in (tmp_path / "r" / page).read_text()
    assert "data/sfc/plan-joint-dp.csv" in files_of(tmp_path / "r")


def test_the_command_is_the_one_that_was_called(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["pytest", "--something", "else"])
    assert invoke(["report", "sfc", *SMALL, "--title", "a b", "-o", str(tmp_path / "r"), "-q"]) == 0
    page = (tmp_path / "r" / "index.html").read_text()
    assert "--something" not in page
    assert (
        "<code>hypar-opt report sfc -f hypar-dp,joint-dp --without front,exploration,scaling --title &#39;a b&#39; -o "
        in page
    )


def test_a_plan_that_is_not_what_it_claims_is_named_and_nothing_is_written(run, tmp_path):
    run("report", "sfc", *SMALL, "-o", tmp_path / "one")
    path = tmp_path / "one/plans/sfc/hypar-dp.json"
    plan = json.loads(path.read_text())
    plan["cost"]["communication_bytes"] += 1
    path.write_text(json.dumps(plan))
    ran = run("report", "--plans", path, "-o", tmp_path / "two")
    assert ran.code == 2
    assert ran.err.startswith(f"error: {path}: is not what it claims: communication: claimed ")
    assert "Traceback" not in ran.err
    assert files_of(tmp_path / "two") == set()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected instances, or plans of shipped ones (--plans)"),
        (("sfc", "--without", "fronts"), "--without: no section is called 'fronts'; did you mean 'front'?"),
        (("sfc", "-f", "joint-bp"), "joint-dp"),
        (("sfc", "--claims", "no-such-claims"), "no-such-claims"),
        (("sfc", "--json", "--json-lines"), "choose one"),
    ],
)
def test_what_is_asked_wrongly_is_said(run, tmp_path, arguments, message):
    ran = run("report", *arguments, "-o", tmp_path / "r")
    assert ran.code == 2
    assert message in ran.err
    assert not (tmp_path / "r" / "index.html").exists()


def test_plans_of_instances_that_are_not_shipped_need_these(run, tmp_path):
    run("report", "sfc", *SMALL, "-o", tmp_path / "one")
    path = tmp_path / "one/plans/sfc/joint-dp.json"
    path.write_text(path.read_text().replace('"instance": "sfc"', '"instance": "sfcc"'))
    ran = run("report", "--plans", path, "-o", tmp_path / "two")
    assert ran.code == 2
    assert ran.err == (
        f"error: {path}: instance: is a plan of 'sfcc', which is no shipped instance; did you mean 'sfc'?\n"
    )


def test_overrides_without_an_instance_are_refused(run, tmp_path):
    run("report", "sfc", *SMALL, "-o", tmp_path / "one")
    ran = run("report", "--plans", tmp_path / "one/plans", "--batch", "8", "-o", tmp_path / "two")
    assert ran.code == 2
    assert "--batch replaces a field of instances, and none is named; plans bring their own" in ran.err


def test_a_folder_with_pages_of_somebody_else_is_left_alone(run, tmp_path):
    (tmp_path / "index.html").write_text("mine")
    ran = run("report", "sfc", *SMALL, "-o", tmp_path)
    assert ran.code == 2
    assert "has a page 'index.html' that is of no report" in ran.err
    assert (tmp_path / "index.html").read_text() == "mine"


def test_for_machines(run, tmp_path):
    ran = run("report", "sfc", *SMALL, "-o", tmp_path / "r", "--json")
    found = json.loads(ran.out)
    assert found["report"] == str(tmp_path / "r" / "index.html")
    assert [row["formulation"] for row in found["rows"]] == ["hypar-dp", "joint-dp"]
    assert (found["stopped"], found["faults"], found["claims"]) == (False, [], 0)
    assert found["bytes"] == sum((tmp_path / "r" / name).stat().st_size for name in files_of(tmp_path / "r")
                                 if name != "manifest.json")  # fmt: skip
    lines = run("report", "sfc", *SMALL, "-o", tmp_path / "r", "--json-lines").out.splitlines()
    assert json.loads(lines[-1])["event"] == "result"
    assert {json.loads(line)["event"] for line in lines[:-1]} >= {"progress"}


def test_quiet_says_where_it_is(run, tmp_path):
    ran = run("report", "sfc", *SMALL, "-o", tmp_path / "r", "-q")
    assert ran.out == f"written: {tmp_path / 'r' / 'index.html'}\n"


@pytest.mark.slow
def test_figures_are_printed_too(run, tmp_path):
    run("report", "sfc", *SMALL, "--figures", "-o", tmp_path / "r")
    written = files_of(tmp_path / "r")
    assert {f"figures/sfc/plan-joint-dp.{form}" for form in ("svg", "pdf", "png")} <= written
    assert 'href="figures/sfc/plan-joint-dp.pdf"' in (tmp_path / "r" / "sfc.html").read_text()


@pytest.mark.slow
def test_an_audit_has_a_page(run, tmp_path):
    claims = tmp_path / "claims.yaml"
    claims.write_text(
        "schema: hypar-opt/claims/1\ntitle: A test's\nsource: nobody\nclaims:\n"
        "  - {id: one, source: Figure 5, text: a plan, instance: sconv, overrides: {accounting: as-evaluated}, "
        "plan: {formulation: hypar-dp, strategies: {}, others: dddd}}\n"
    )
    ran = run("report", "sconv", *SMALL, "--claims", claims, "-o", tmp_path / "r")
    assert "1 instance, 2 plans, 1 claim; " in ran.out
    page = (tmp_path / "r" / "audit.html").read_text()
    assert 'data-verdict="confirmed"' in page
    assert rows_of(tmp_path / "r/data/audit.csv")[0]["id"] == "one"


@pytest.mark.slow
def test_what_was_found_before_a_signal_is_written(start_program, plug_in_environment, tmp_path):
    words = ("report", "sfc", "lenet-c", "-f", "hypar-dp,waits-with-a-plan", "--without", "front,exploration,scaling")
    process = start_program(*words, "-o", tmp_path / "r", "--json-lines", env=plug_in_environment)
    for line in process.stdout:
        if json.loads(line).get("text") == "waiting":
            break
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert json.loads(out.splitlines()[-1])["stopped"] is True
    assert {"index.html", "sfc.html"} <= files_of(tmp_path / "r")
    assert "lenet-c.html" not in files_of(tmp_path / "r")
    assert "The run was stopped" in (tmp_path / "r" / "index.html").read_text()
