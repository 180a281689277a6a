"""hypar-opt show --curve."""

from __future__ import annotations

import json

import pytest

GRAPH = "lenet-c-h2"
LAST = [{"time_s": 2, "cost": 6227680}, {"time_s": 3, "bound": 6227680}]
MOVES = [{"time_s": 0.5, "cost": 40000000}, {"time_s": 0.75, "bound": 6000000}, *LAST]


@pytest.fixture
def plan(run, tmp_path):
    """Return a function that solves, and returns the plan's path with moves written into it."""

    def solved(*arguments, moves=MOVES):
        path = tmp_path / "plan.json"
        assert run("solve", *arguments, "-o", path, "--quiet").code == 0
        document = json.loads(path.read_text())
        if moves is not None:
            path.write_text(json.dumps(document | {"improvements": moves}))
        return path

    return solved


def test_a_run_is_told_row_by_row(run, plan):
    done = run("show", "lenet-c", "--plan", plan("lenet-c", "--levels", "2"), "--curve")
    assert done.code == 0
    first, heads, *rows = done.out.splitlines()
    assert first == (
        "lenet-c by joint-dp: first plan after 500 ms: 40 MB; within 1 % of the last one, 6.228 MB, after 2 s"
    )
    assert heads.split() == ["method", "time", "(s)", "best", "plan", "(MB)", "bound", "(MB)", "gap"]
    assert rows[2].split() == ["joint-dp", "2.000", "6.22768", "6.00000", "3.66", "%"]
    assert rows[3].split() == ["joint-dp", "3.000", "6.22768", "6.22768", "0", "%"]
    assert rows[-1].startswith("Plans and bounds are what the search told")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (MOVES[:2], "improvements: expected the plan's own cost 6227680 last, got 40000000"),
        (MOVES[:3], "improvements: expected the plan's own bound 6227680 last, got 6000000"),
        ([*LAST, {"time_s": 9, "cost": "1.5"}], "expected the plan's own cost 6227680 last, got 1.5"),
    ],
)
def test_the_course_of_another_run_is_refused(moves, message, run, plan, tmp_path):
    path = plan("lenet-c", "--levels", "2", moves=moves)
    for command in (
        ("show", "lenet-c", "--plan", path, "--curve"),
        ("report", "lenet-c", "--levels", "2", "--plans", path, "-o", tmp_path / "pages"),
    ):
        done = run(*command)
        assert done.code == 2
        assert message in done.err


def test_a_bound_that_the_plan_has_not_is_refused(run, plan):
    path = plan("lenet-c", "--levels", "2")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"status": "FEASIBLE", "bound": None}))
    done = run("show", "lenet-c", "--plan", path, "--curve")
    assert "improvements: expected no 'bound', as the plan has none, got 6227680" in done.err


def test_what_is_too_large_to_be_drawn_is_refused(run, plan, tmp_path):
    path = plan("lenet-c", "--levels", "2", moves=[{"time_s": 0, "cost": "9" * 400}, *LAST])
    done = run("show", "lenet-c", "--plan", path, "--curve", "-o", tmp_path / "curve.svg")
    assert (done.code, "beyond 1e300, which cannot be drawn" in done.err) == (2, True)
    assert run("show", "lenet-c", "--plan", path, "--curve", "-o", tmp_path / "curve.csv").code == 0


def test_machines_get_exact_numbers(run, plan):
    done = run("show", "lenet-c", "--plan", plan("lenet-c", "--levels", "2"), "--curve", "--json")
    found = json.loads(done.out)
    assert (found["objective"], found["improvements"]) == ("communication", MOVES)


@pytest.mark.slow
def test_a_strategy_graph_s_plan_has_a_picture_and_a_table(run, plan, tmp_path):
    path = plan(GRAPH)
    for name, begin in (("curve.svg", b"<svg"), ("curve.png", b"\x89PNG"), ("curve.csv", b"method,time_s,cost")):
        assert run("show", GRAPH, "--plan", path, "--curve", "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--curve is of a plan: expected --plan PLAN.json, too"),
        (("--plan", "p.json", "--graph", "--links", "time"), "leave out --graph, --links"),
        (("--plan", "p.json", "--network"), "leave out --network"),
        (("--plan", "p.json", "--levels", "2"), "leave out --levels"),
    ],
)
def test_nothing_else_is_asked_for_beside_it(run, words, message):
    done = run("show", "lenet-c", "--curve", *words)
    assert done.code == 2
    assert message in " ".join(done.err.split())


def test_a_plan_that_says_nothing_of_its_search_is_refused(run, plan, tmp_path):
    done = run("show", "lenet-c", "--plan", plan("lenet-c", moves=None), "--curve", "-o", tmp_path / "curve.svg")
    assert done.code == 2
    assert "improvements: says nothing of how plan and bound moved" in done.err
    assert "--log" in done.err
    assert not (tmp_path / "curve.svg").exists()


def test_a_plan_of_another_instance_and_a_name_that_is_no_picture_are_refused(run, plan, tmp_path):
    path = plan("lenet-c")
    assert "is a plan of 'lenet-c', not of 'sfc'" in run("show", "sfc", "--plan", path, "--curve").err
    done = run("show", "lenet-c", "--plan", path, "--curve", "-o", tmp_path / "curve.txt")
    assert (done.code, "--output" in done.err) == (2, True)


@pytest.mark.slow
def test_what_a_search_told_is_kept_from_the_command_to_the_page(run, tmp_path):
    path = tmp_path / "plan.json"
    assert run("solve", "vgg-a", "-f", "cp-sat", "-o", path, "--log", tmp_path / "log", "--quiet").code == 0
    logged = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    costs = [one["value"] for one in logged if one["event"] == "incumbent"]
    kept = [one["cost"] for one in json.loads(path.read_text())["improvements"] if "cost" in one]
    assert kept == sorted(set(costs), reverse=True)
    assert run("report", "vgg-a", "--plans", path, "-o", tmp_path / "pages", "--quiet",
               "--without", "front,exploration,scaling,regrets").code == 0  # fmt: skip
    page = (tmp_path / "pages" / "vgg-a.html").read_text()
    assert '<h2 id="runs">How plans and bounds moved</h2>' in page
    assert '<figure class="chart" id="anytime"' in page
    assert (tmp_path / "pages" / "data" / "vgg-a" / "anytime.csv").read_text().startswith("method,time_s,cost,bound")
