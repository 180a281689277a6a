"""hypar-opt show."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from hypar_opt.instance import load, shipped_arrays
from hypar_opt.solver.network_problem import NetworkProblem

SFC_ON_TORUS = ("sfc", "--array", "torus-16", "--objective", "hop-bytes", "--placement", "identity")
LINE = """\
topology: custom
levels: 2
link: {bandwidth: 10, energy: 3}
graph:
  nodes: [{name: a}, {name: b}, {name: c}, {name: d}]
  links: [{ends: [a, b]}, {ends: [b, c]}, {ends: [c, d]}]
"""


@pytest.fixture
def plan(run, tmp_path):
    """Return a function that solves and returns the plan's path."""

    def solved(*arguments):
        path = tmp_path / "plan.json"
        assert run("solve", *arguments, "-o", path, "--quiet").code == 0
        return path

    return solved


@pytest.fixture
def line(tmp_path):
    path = tmp_path / "line.yaml"
    path.write_text(LINE, encoding="utf-8")
    return path


def test_an_array_s_file_as_text(run, line):
    ran = run("show", line)
    assert (ran.code, ran.err) == (0, "")
    assert [row.rstrip() for row in ran.out.splitlines()] == [
        "line: custom, 4 accelerators",
        "3 links; 30 B/s each way in all; at least 1 link, 10 B/s each way between the halves of level 1; "
        "diameter 3 hops",
        "placement identity, none is given: a b c d",
        "",
        "level  hops  busiest link  its routes",
        "1      2     b -> c        2",
        "2      1     a -> b        1",
    ]


def test_routes_of_different_lengths_are_a_range(run, line):
    line.write_text(LINE + "placement: [a, d, b, c]\n", encoding="utf-8")
    rows = [row.split() for row in run("show", line).out.splitlines()]
    assert rows[2] == ["placement", "given:", "a", "d", "b", "c"]
    assert rows[-1] == ["2", "1", "to", "3", "b", "->", "c", "2"]


def test_the_same_for_machines(run, line):
    document = json.loads(run("show", line, "--json").out)
    assert document == {
        "name": "line", "topology": "custom", "dims": [], "routing": "shortest", "levels": 2, "accelerators": 4,
        "switches": 0, "links": 3, "bandwidth_bytes_per_s": 30, "links_between_halves": 1,
        "bisection_bytes_per_s": 10, "diameter_hops": 3, "accelerator": None,
        "placement_from": "identity, none is given",
        "placement": ["a", "b", "c", "d"],
        "by_level": [
            {"level": 1, "hops": 8, "least": 2, "most": 2, "busiest_link": ["b", "c"], "busiest_routes": 2},
            {"level": 2, "hops": 4, "least": 1, "most": 1, "busiest_link": ["a", "b"], "busiest_routes": 1},
        ],
    }  # fmt: skip
    assert json.loads(run("show", line, "--json-lines").out) == {"event": "result", **document}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [name for name in shipped_arrays() if name != "tpu-v2-v3-256"]
)  # too large to be drawn
def test_every_shipped_array_is_shown(run, name, tmp_path):
    assert run("show", name).out.startswith(f"{name}: ")
    assert run("show", name, "-o", tmp_path / "array.svg").code == 0
    assert (tmp_path / "array.svg").read_bytes().startswith(b"<svg")


def test_an_instance_s_array_is_shown(run):
    assert run("show", "sfc").out.startswith("sfc: h-tree, 16 accelerators\n15 switches; 30 links; ")


def test_levels_can_be_fewer(run):
    document = json.loads(run("show", "h-tree-16", "--levels", 2, "--json").out)
    assert (document["levels"], document["accelerators"]) == (2, 4)


def test_levels_that_the_array_does_not_have(run):
    ran = run("show", "torus-16", "--levels", 5)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: --levels")
    assert ran.err.endswith(": has 16 accelerators, 5 levels need 32\n")


def test_quiet_is_one_line(run):
    assert run("show", "torus-16", "--quiet").out == "torus-16: torus 4 x 4, 16 accelerators\n"


def test_no_levels(run, line):
    line.write_text("topology: ring\nlevels: 0\n", encoding="utf-8")
    ran = run("show", line)
    assert ran.out == "line: ring, 1 accelerator\n0 links; diameter 0 hops\nplacement identity, none is given: a0\n"


def test_a_plan_s_traffic(run, plan):
    path = plan(*SFC_ON_TORUS)
    document = json.loads(run("show", "sfc", "--plan", path, "--json").out)
    claimed = json.loads(path.read_text(encoding="utf-8"))
    assert document["cost"]["hop_bytes"] == claimed["cost"]["hop_bytes"]
    assert document["cost"]["communication_bytes"] == claimed["cost"]["communication_bytes"]
    assert sum(load["bytes"] for load in document["loads"]) == claimed["cost"]["hop_bytes"]
    assert all(sum(load["bytes_by_level"]) == load["bytes"] for load in document["loads"])
    problem = NetworkProblem(load("sfc", array="torus-16", objective="hop-bytes", placement="identity"))
    breakdown = problem.bytes_of(claimed["plan"])
    assert [level["bytes"] for level in document["by_level"]] == [breakdown.level(h) for h in range(4)]
    by_level = zip(*(part["bytes_by_level"] for part in document["parts"]), strict=True)
    assert list(map(sum, by_level)) == [breakdown.level(h) for h in range(4)]
    assert {part["phase"] for part in document["parts"]} == {"forward", "backward", "gradient"}
    time = sum(Fraction(level["time_s"]) for level in document["by_level"])
    assert time == Fraction(document["cost"]["comm_time_s"])


def test_a_plan_s_traffic_as_text(run, plan):
    out = run("show", "sfc", "--plan", plan(*SFC_ON_TORUS)).out
    first, costs, _, placement, *_ = out.splitlines()
    assert first == "sfc: torus 4 x 4, 16 accelerators"
    assert costs.startswith("communication ") and "hop-bytes" in costs
    assert placement.startswith("placement of the plan: a0 a1 a2 ")
    heads = [row.split()[0] for row in out.splitlines() if row]
    assert heads[4:9] == ["level", "1", "2", "3", "4"]
    assert heads[9:14] == ["phase", "forward", "backward", "gradient", "busiest"]
    assert len(heads) == 14 + 10


def test_links_are_ranked_by_time_or_bytes(run, plan):
    path = plan("sfc", "--array", "hypar-row-stationary-16")
    first = {by: run("show", "sfc", "--plan", path, "--links", by).out for by in ("time", "bytes")}
    heads = {by: next(row.split() for row in out.splitlines() if "est links" in row) for by, out in first.items()}
    assert heads["time"][:5] == ["busiest", "links", "time", "bytes", "speed"]
    assert heads["bytes"][:5] == ["fullest", "links", "bytes", "time", "speed"]
    assert run("show", "sfc", "--plan", path).out == first["time"]
    timed = json.loads(run("show", "sfc", "--plan", path, "--json").out)["loads"]
    assert max(Fraction(one["time_s"]) for one in timed) > 0


def test_what_links_cannot_be_ranked_by(run, plan, line):
    ran = run("show", "sfc", "--links", "bytes")
    assert (ran.code, ran.err) == (2, "error: --links: without a plan links carry nothing; expected --plan, too\n")
    line.write_text(LINE.replace("bandwidth: 10, ", ""), encoding="utf-8")
    untimed = plan("sfc", "--array", line, "--placement", "identity")
    ran = run("show", "sfc", "--plan", untimed, "--links", "time")
    assert (ran.code, ran.err) == (
        2, "error: --links: the array does not say how fast all of its links are; try bytes\n"
    )  # fmt: skip


def test_a_plan_that_depends_on_no_placement_is_shown_in_order(run, plan):
    out = run("show", "sfc", "--plan", plan("sfc")).out
    assert "\nplacement identity, none is given: a0 a1 " in out


@pytest.mark.slow
@pytest.mark.parametrize(("form", "begin"), [("png", b"\x89PNG"), ("svg", b"<svg"), ("SVG", b"<svg")])
def test_pictures(run, plan, tmp_path, form, begin):
    picture = tmp_path / f"traffic.{form}"
    ran = run("show", "sfc", "--plan", plan(*SFC_ON_TORUS), "-o", picture)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    once = picture.read_bytes()
    assert once.startswith(begin)
    ran = run("show", "sfc", "--plan", tmp_path / "plan.json", "-o", picture, "--json")
    assert json.loads(ran.out)["topology"] == "torus"
    assert picture.read_bytes() == once


def changed(path, **fields):
    document = json.loads(path.read_text(encoding="utf-8")) | fields
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tors-16"], "tors-16: neither a file nor the name of a shipped array or instance; did you mean 'torus-16'?"),
        (["torus-16", "-o", "x.pdf"], "--output: expected a name that ends in .png or .svg, got 'x.pdf'"),
        (["torus-16", "-o", "x"], "--output: expected a name that ends in .png or .svg, got 'x'"),
        (["torus-16", "-o", "x.tex"], "--output: a table ('x.tex') is of a plan; expected --plan PLAN.json too"),
        (
            ["h-tree-16", "--levels", "8", "-o", "x.png"],
            "a picture of 511 nodes cannot be read, at most 256 are drawn; "
            "without a picture the array is shown as text, and as JSON in full",
        ),
        (
            ["h-tree-16", "--levels", "17"],
            "walking every route takes at most 65,536 accelerators, got 131,072; take at most 16 levels, "
            "or the objective communication, which needs no routes",
        ),
    ],
)
def test_what_cannot_be_shown(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    ran = run("show", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", f"error: {message}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line_of_file", "message"),
    [
        ("topology: ring\nlevels: 2\nlinks: 3\n", ":3: links: unknown field 'links'; did you mean 'link'?"),
        ("topology: rnig\nlevels: 2\n", ":1: topology: "),
        ("levels: 2\n", ": topology: "),
        ("topology: mesh\nlevels: 2\ndims: [3]\n", ":3: dims: has 3 accelerators, 2 levels need 4"),
        ("topology: ring\nlevels: 1\nplacement: [a0, b1]\n", ":3: placement"),
    ],
)
def test_an_array_s_file_that_is_wrong(run, line, line_of_file, message):
    line.write_text(line_of_file, encoding="utf-8")
    ran = run("show", line)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {line}")
    assert message in ran.err


def test_a_plan_says_how_many_levels(run, plan):
    ran = run("show", "sfc", "--plan", plan("sfc"), "--levels", 2)
    assert ran.err == "error: --levels: the plan's file says how many there are; leave it out\n"


def test_a_plan_of_another_instance(run, plan):
    path = plan("sfc")
    assert run("show", "lenet-c", "--plan", path).err == (
        f"error: {path}: instance: is a plan of 'sfc', not of 'lenet-c'\n"
    )


def test_an_array_has_no_plan(run, plan):
    ran = run("show", "torus-16", "--plan", plan("sfc"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: torus-16: ")


def test_a_plan_that_is_none(run, plan):
    path = plan("sfc")
    words = json.loads(path.read_text(encoding="utf-8"))["plan"]
    ran = run("show", "sfc", "--plan", changed(path, plan=words | {"fc1": "x"}))
    assert (ran.code, ran.err) == (
        2, f"error: {path}: plan: layer 'fc1' has 'x', expected 4 letters of 'dm'\n",
    )  # fmt: skip


def test_a_placement_that_is_none(run, plan):
    path = plan(*SFC_ON_TORUS)
    names = json.loads(path.read_text(encoding="utf-8"))["placement"]
    ran = run("show", "sfc", "--plan", changed(path, placement=[names[1], *names[1:]]))
    assert ran.code == 2
    assert ran.err.startswith(f"error: {path}: plan: ")


def test_no_plan_at_all(run, plan):
    path = changed(plan("sfc"), status="INFEASIBLE", plan=None, cost=None, objective=None, bound=None)
    assert run("show", "sfc", "--plan", path).err == (
        f"error: {path}: plan: has status INFEASIBLE and no plan, expected a plan to show\n"
    )


def test_the_tables_of_a_plan(run, plan, tmp_path):
    path = plan("sfc")
    for ending, begin in {"tex": "% needs", "md": "# A plan of sfc", "csv": "layer,reader,", "JSON": "["}.items():
        table = tmp_path / f"table.{ending}"
        ran = run("show", "sfc", "--plan", path, "-o", table)
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        assert table.read_text(encoding="utf-8").startswith(begin)
    ran = run("show", "sfc", "--plan", path, "-o", tmp_path / "x.txt")
    endings = ".png, .svg, .csv, .md, .tex or .json"
    assert (ran.code, ran.err) == (2, f"error: --output: expected a name that ends in {endings}, got 'x.txt'\n")


def test_a_table_needs_no_routes_and_the_document_beside_it_does(run, plan, tmp_path):
    path, table = plan("lenet-c", "--accounting", "leaf-exact"), tmp_path / "table.md"
    ran = run("show", "lenet-c", "--plan", path, "-o", table, "--json")
    assert (ran.code, table.exists()) == (2, False)
    assert run("show", "lenet-c", "--plan", path, "-o", table).code == 0
    assert "under the accounting leaf-exact" in table.read_text(encoding="utf-8")
    path = plan("sfc")
    ran = run("show", "sfc", "--plan", path, "-o", table, "--json")
    assert json.loads(ran.out)["cost"] == json.loads(run("show", "sfc", "--plan", path, "--json").out)["cost"]
    assert "A plan of sfc" in table.read_text(encoding="utf-8")


def test_leaf_exact_does_not_say_who_sends(run, plan):
    ran = run("show", "sfc", "--plan", plan("sfc", "--accounting", "leaf-exact"))
    assert ran.err == (
        "error: accounting 'leaf-exact' does not say who sends at which level; "
        "expected a plan of another accounting, or the array without a plan\n"
    )


def test_what_each_accelerator_can_do(run):
    shown = run("show", "hypar-16").out.splitlines()[2]
    assert shown == (
        "each accelerator: as-evaluated; 84 GOPS at the peak; 12 x 14 elements; utilisation 100 %; buffer 108 kB; "
        "memory bandwidth 320 GB/s; add 0.9 pJ, multiply 3.7 pJ, sram 5 pJ, dram 640 pJ"
    )
    document = json.loads(run("show", "hypar-row-stationary-16", "--json").out)["accelerator"]
    assert document["model"] == "row-stationary" and document["utilisation"] == "grid"
    assert document["energy_J"]["dram"] == "0.00000000064"


def test_the_time_and_energy_of_a_plan(run, tmp_path):
    path = tmp_path / "plan.json"
    run("solve", "lenet-c", "--array", "hypar-16", "-o", path)
    lines = run("show", "lenet-c", "--plan", path).out.splitlines()
    assert lines[2] == "time 75.44 ms: compute-time 5.025 ms, comm-time 70.41 ms"
    assert lines[3].startswith("energy 32.58 mJ: multiply-energy 12.49 mJ, ")
    layer = next(line.split() for line in lines if line.startswith("conv1 "))
    assert layer[1] == layer[3] == layer[5] and layer[7] == "0"  # as evaluated three phases are alike, none updates
    assert lines[-1].startswith("a step takes 75.44 ms without overlap, 70.")
    document = json.loads(run("show", "lenet-c", "--plan", path, "--json").out)
    assert document["cost"]["time_s"] and len(document["step"]["stages"]) == 4 * 4
    assert document["step"]["overlap"]["none_s"] == document["cost"]["time_s"]
