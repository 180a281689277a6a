"""Files of fronts: read as they were written, and every point of one as a plan."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from hypar_opt.instance import load
from hypar_opt.solver.front import ParetoFront, front_document
from hypar_opt.solver.front_file import no_front
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.plan_reader import read_start
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification import read_claim, verify

ROW_STATIONARY = {"array": "hypar-row-stationary-16"}


@pytest.fixture(scope="module")
def front():
    return pareto_front(load("lenet-c", **ROW_STATIONARY, objective="product:time,energy"))


@pytest.fixture
def written(front, tmp_path):
    front.save(tmp_path / "front.json")
    return tmp_path / "front.json"


def rounded(one):
    return replace(one, runtime_s=round(one.runtime_s, 6))


def points_rounded(front):
    return [(point.values, rounded(point.plan)) for point in front.points]


def test_a_front_is_loaded_as_it_was_saved(front, written):
    loaded = ParetoFront.load(str(written))
    assert replace(loaded, points=()) == rounded(replace(front, points=()))
    assert points_rounded(loaded) == points_rounded(front)
    assert front_document(loaded) == json.loads(written.read_text())


KINDS = {
    "timed": lambda: pareto_front(load("lenet-c", array="hypar-16", objective="time")),
    "placed on links": lambda: pareto_front(
        load("lenet-c", array="ring-16", placement="identity", levels=2), ("communication", "hop-bytes")
    ),
    "that cannot be built": lambda: pareto_front(load("lenet-c", **ROW_STATIONARY, batch=2)),
    "that splits unevenly": lambda: pareto_front(load("lenet-c", **ROW_STATIONARY, batch=24)),
    "of which placements are free": lambda: pareto_front(
        load("lenet-c", array="hypar-16", placement="free", objective="hop-bytes"), ("communication", "dram-energy")
    ),
    "with nothing on it": lambda: pareto_front(load("lenet-c", **ROW_STATIONARY), time_limit=1e-9),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_point_is_read_as_the_plan_that_it_is(kind, tmp_path):
    found, path = KINDS[kind](), tmp_path / "front.json"
    found.save(path)
    for number, point in enumerate(found.points, start=1):
        read = Plan.load(f"{path}#{number}")
        assert read == rounded(point.plan)
        read.save(tmp_path / "plan.json")
        assert Plan.load(tmp_path / "plan.json") == read
        assert read_start(tmp_path / f"front.json#{number}") == (dict(read.strategies), read.placement)
    assert points_rounded(ParetoFront.load(path)) == points_rounded(found)


def test_kinds_are_what_they_are_called():
    assert KINDS["timed"]().points[0].plan.placement is not None
    assert KINDS["that cannot be built"]().points[0].plan.unbuildable
    assert KINDS["that splits unevenly"]().points[0].plan.uneven
    assert KINDS["of which placements are free"]().points[0].plan.objective is None
    assert not KINDS["with nothing on it"]().points


def test_a_point_claims_its_cost_and_no_more(front, written):
    for number, point in enumerate(front.points, start=1):
        claim = read_claim(f"{written}#{number}")
        assert (claim.status, claim.objective, claim.bound) == ("FEASIBLE", point.values[0] * point.values[1], None)
        assert verify("lenet-c", f"{written}#{number}").outcome == "confirmed"
        assert f"point {number} of 2 of a front of time and energy" in point.plan.note


def test_a_point_whose_cost_is_wrong_is_refuted(written):
    data = json.loads(written.read_text())
    less = Fraction(data["points"][1]["cost"]["energy_J"]) / 3
    data["points"][1]["cost"]["energy_J"] = str(less)
    written.write_text(json.dumps(data))
    assert verify("lenet-c", f"{written}#1").outcome == "confirmed"
    assert verify("lenet-c", f"{written}#2").outcome == "refuted"
    assert ParetoFront.load(written).points[1].values[1] == less


def test_a_file_whose_name_has_a_number_sign_is_that_file(front, tmp_path):
    plan = solve("lenet-c", "joint-dp")
    front.save(tmp_path / "mine")
    for name in ("mine#2", "mine#2.json", "#2"):
        plan.save(tmp_path / name)
        assert Plan.load(tmp_path / name) == rounded(plan)
    front.save(tmp_path / "front#1")
    assert Plan.load(tmp_path / "front#1#2") == rounded(front.points[1].plan)


def changed(change, number=None):
    """Change the front's document, or a point of it."""

    def apply(data):
        (data if number is None else data["points"][number]).update(change)

    return apply


BROKEN = {
    "a field that no point has": (changed({"status": "OPTIMAL"}, 1), ": points[1].status: unknown field 'status'"),
    "a point without a plan": (changed({"plan": None}, 0), ": points[0].plan: expected a mapping, got nothing"),
    "an inexact cost": (changed({"objective": "0x1"}, 0), ": points[0].objective: expected an exact number"),
    "a component that points do not have": (
        changed({"components": ["time", "enrgy"]}), "points: point 1 has no enrgy, which is one of the components"
    ),
    "components that come twice": (
        changed({"components": ["time", "time"]}), "components: expected different components, got 'time' twice"
    ),
    "one component": (changed({"components": ["time"]}), "components: expected two or three components, got 1"),
    "a share below nothing": (changed({"excess": "-0.5"}), "excess: expected a share of at least 0, got -0.5"),
    "a product of no point": (changed({"least_product": 2}), "least_product: expected a position from 0 to 1, got 2"),
    "a product before all": (changed({"least_product": -1}), "least_product: expected a position from 0 to 1, got -1"),
    "no points where some were": (
        changed({"points": []}), "least_product: expected nothing, for there are no points, got 1"
    ),
    "nothing where points are": (changed({"points": None}), "points: expected a list, got nothing"),
    "a point twice": (
        lambda data: data["points"].append(data["points"][0]), "points: point 3 costs the same as point 1, expected"
    ),
    "a point that another beats": (
        changed({"cost": {"communication_bytes": 1, "time_s": 10**6, "energy_J": 10**6}}, 1),
        "points: point 2 costs no less in any component than point 1, expected points of which none is as good as",
    ),
    "another version": (changed({"schema": "hypar-opt/front/2"}), "schema: expected 'hypar-opt/front/1'"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BROKEN.values(), ids=BROKEN)
def test_fronts_are_read_strictly(change, message, written):
    data = json.loads(written.read_text())
    change(data)
    written.write_text(json.dumps(data, indent=1))
    for read, path in ((ParetoFront.load, written), (Plan.load, f"{written}#1"), (read_claim, f"{written}#1")):
        with pytest.raises(InputError) as error:
            read(path)
        assert message in str(error.value)
        assert str(error.value).startswith(str(written))


def test_a_point_without_an_objective_claims_nothing_that_could_be_verified(written):
    data = json.loads(written.read_text())
    del data["points"][1]["objective"]
    written.write_text(json.dumps(data, indent=1))
    assert Plan.load(f"{written}#2").objective is None
    with pytest.raises(InputError) as error:
        read_claim(f"{written}#2")
    line = next(at for at, text in enumerate(written.read_text().split("\n"), 1) if text == "  {" and at > 80)
    said = str(error.value)
    assert said.startswith(f"{written}#2:") and said.endswith(
        ": points[1].objective: expected a value with status FEASIBLE"
    )
    assert int(said.removeprefix(f"{written}#2:").split(":")[0]) == line, "of the point"


def test_what_is_no_point(front, written, tmp_path):
    replace(front, points=()).save(tmp_path / "none.json")
    solve("lenet-c").save(tmp_path / "plan.json")
    expected = {
        "front.json#0": "front.json: points: expected the number of a point after '#', from 1 to 2, got '0'",
        "front.json#3": "front.json: points: expected the number of a point after '#', from 1 to 2, got '3'",
        "front.json#" + "9" * 30: "after '#', from 1 to 2, got '999999999999999999999999999999'",
        "front.json#\u0662": "after '#', from 1 to 2, got '\u0662'",
        "front.json#x": "front.json: points: expected the number of a point after '#', from 1 to 2, got 'x'",
        "front.json#": "front.json: points: expected the number of a point after '#', from 1 to 2, got ''",
        "front.json": "is a front of 2 points, expected a plan; name one of them, as in front.json#2",
        "none.json": "is a front without points, expected a plan",
        "none.json#1": "none.json: points: expected a front with points, got '1'",
        "plan.json#2": "plan.json: schema: expected 'hypar-opt/front/1' in front of '#2', got 'hypar-opt/plan/1'",
        "other.json#2": "other.json: no such file",
        "other#2.json": "other#2.json: no such file",
    }
    for name, message in expected.items():
        for read in (Plan.load, read_claim, read_start):
            with pytest.raises(InputError) as error:
                read(tmp_path / name)
            assert message in str(error.value), name


def test_points_that_another_beats_are_found_as_by_comparing_all_pairs():
    rng = Random(3)
    for _ in range(400):
        count = rng.choice((2, 3))
        costs = [tuple(Fraction(rng.randrange(6)) for _ in range(count)) for _ in range(rng.randrange(7))]
        pairs = {
            (worse, best)
            for worse, best in product(range(len(costs)), repeat=2)
            if worse != best and all(a <= b for a, b in zip(costs[best], costs[worse], strict=True))
        }
        found = no_front(costs)
        assert found in pairs if pairs else found is None
