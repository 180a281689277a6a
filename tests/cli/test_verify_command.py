"""verify, solve --certificate and check-certificate as a user runs them."""

from __future__ import annotations

import json
import signal
from fractions import Fraction
from zipfile import ZipFile

import pytest


@pytest.fixture
def made(run, tmp_path):
    """Return a function that solves an instance and returns the plan's path and the certificate's."""

    def make(*arguments):
        plan, certificate = tmp_path / "plan.json", tmp_path / "plan.cert"
        ran = run("solve", *arguments, "-o", plan, "--certificate", certificate, "--no-explain")
        assert ran.code == 0
        return plan, certificate

    return make


def changed(path, **fields):
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_a_plan_and_its_certificate_are_confirmed(run, made):
    plan, certificate = made("sfc", "--accounting", "receiver")
    ran = run("verify", "sfc", plan, "--certificate", certificate)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "confirmed: sfc, OPTIMAL by joint-dp"
    assert lines[1].split() == ["ok", "plan", "complete:", "4", "layers,", "4", "levels"]
    assert "ok  communication  991,211,520 bytes, recomputed by boxes" in ran.out
    assert f"no plan is below 991,211,520 B: the certificate {certificate}, checked in exact integers" in " ".join(
        ran.out.split()
    )
    assert "leaf-exact: the leaves' own boxes lack 991.2 MB (991,211,520 bytes), as the accounting says" in ran.out


def test_the_error_of_the_input_is_left_out_on_request(run, tmp_path):
    instance, plan = tmp_path / "wide.yaml", tmp_path / "plan.json"
    instance.write_text(
        "schema: hypar-opt/instance/1\nname: wide\nbatch: 64\n"
        "network: {input: [1024], layers: [{name: fc, linear: {features: 8}}]}\n"
        "array: {topology: h-tree, levels: 2}\ncost: {choices: [dp, op]}\n"
    )
    assert "communication 196.6 kB (196,608 bytes)" in run("solve", instance, "--input-error").out
    ran = run("solve", instance, "--no-input-error", "-o", plan, "--no-explain")
    assert "communication 0 (0 bytes)" in ran.out
    assert json.loads(plan.read_text())["overrides"] == {"input_error": False}
    assert run("verify", instance, plan, "-q").out == "confirmed\n"
    changed(plan, overrides={})  # then o is charged the errors of all 1,024 features: 2 x 4 B x 64 x 1,024 x 3
    ran = run("verify", instance, plan)
    assert ran.code == 1
    assert "(off by -1,572,864 bytes)" in ran.out
    changed(plan, overrides={"input_error": "no"})
    assert "overrides.input_error: expected true or false, got 'no'" in run("verify", instance, plan).err


def test_without_a_certificate_one_is_made(run, made):
    plan, _ = made("lenet-c")
    ran = run("verify", "lenet-c", plan)
    assert ran.code == 0
    assert "a certificate by joint-dp, checked in exact integers by code that shares nothing" in " ".join(
        ran.out.split()
    )


def test_a_greedy_plan_is_confirmed_for_what_it_claims_and_refuted_as_an_optimum(run, tmp_path):
    plan = tmp_path / "plan.json"
    run("solve", "sfc", "-f", "hypar-dp", "--accounting", "receiver", "-o", plan, "--no-explain")
    assert run("verify", "sfc", plan, "-q").out == "confirmed\n"
    ran = run("verify", "sfc", plan, "--as-optimal")
    assert ran.code == 1
    assert ran.out.startswith("refuted: sfc, FEASIBLE by hypar-dp\n")
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["layer", "claimed", "better,", "by", "joint-dp"] in rows
    assert ["fc1", "mmdm", "dmmm"] in rows
    assert ["bytes", "1,003,794,432", "991,211,520"] in rows


def test_a_false_cost_is_refuted(run, made):
    plan, _ = made("sfc")
    changed(plan, cost={"communication_bytes": 7})
    ran = run("verify", "sfc", plan)
    assert ran.code == 1
    assert "NO  communication  claimed 7 bytes, it is " in ran.out


def test_a_bound_of_a_plan_that_is_not_proven(run, tmp_path):
    plan = tmp_path / "plan.json"
    run("solve", "lenet-c", "--array", "hypar-row-stationary-16", "--objective", "time", "-o", plan, "--no-explain")
    best = Fraction(json.loads(plan.read_text())["objective"])
    changed(plan, status="FEASIBLE", bound=str(best / 3))
    ran = run("verify", "lenet-c", plan)
    rows = {line[4:].split("  ")[0]: line.split("  ", 2)[-1].strip() for line in ran.out.splitlines()}
    assert ran.code == 0
    assert "optimality" not in rows
    assert rows["lower bound"].startswith(f"no plan is below the claimed bound about {float(best / 3):.10g} s: ")
    assert rows["time"] == f"about {float(best):.10g} s, recomputed layer by layer, phase by phase"
    assert rows["energy"].endswith(" J, recomputed layer by layer, phase by phase")
    checks = {one["name"]: one for one in json.loads(run("verify", "lenet-c", plan, "--json").out)["checks"]}
    assert Fraction(checks["objective"]["found"]) == best


def test_a_bound_that_other_plans_are_below(run, tmp_path):
    plan = tmp_path / "greedy.json"
    run("solve", "sfc", "-f", "hypar-dp", "--accounting", "receiver", "-o", plan, "--no-explain")
    changed(plan, bound=1_003_794_431)
    ran = run("verify", "sfc", plan)
    assert ran.code == 1
    said = "joint-dp has a plan with the objective 991,211,520 B, below the claimed bound 1,003,794,431 B"
    assert f"NO  lower bound    {said}" in ran.out


def test_a_verdict_as_json(run, made):
    plan, _ = made("lenet-c", "--levels", "2")
    ran = run("verify", "lenet-c", plan, "--json")
    document = json.loads(ran.out)
    claimed = json.loads(plan.read_text())
    assert (ran.code, document["verdict"], document["reason"]) == (0, "confirmed", "")
    assert document["communication_bytes"] == document["bound"] == claimed["objective"]
    assert document["overrides"] == {"levels": 2}
    assert [check["outcome"] for check in document["checks"]] == ["confirmed"] * 6


def test_undecided_within_the_limits(run, made):
    plan, _ = made("vgg-e", "--levels", "8", "--accounting", "receiver")
    ran = run("verify", "vgg-e", plan, "--memory-limit", "1e-6", "--time-limit", "1")
    assert ran.code == 3
    assert ran.out.startswith("undecided: vgg-e, OPTIMAL by joint-dp\n")
    assert "?   optimality     is no plan below" in ran.out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instance": "sfc"}, "{plan}: instance: is a plan of 'sfc', not of 'lenet-c'"),
        (
            {"instance_sha256": "0" * 64},
            "{plan}: instance_sha256: is a plan of another version of 'lenet-c': its hash is 000000000000..., "
            "this one's {hash}...",
        ),
        ({"schema": "hypar-opt/plan/0"}, "{plan}:2: schema: expected 'hypar-opt/plan/1', got 'hypar-opt/plan/0'"),
        (
            {"status": "NO_SOLUTION"},
            "{plan}:6: status: a plan with status NO_SOLUTION claims nothing that could be verified",
        ),
        (
            {"overrides": {"levels": 99}},
            "{plan}: overrides.levels: expected at most 24 levels (2^24 accelerators), got 99",
        ),
        (
            {"formulation": "joint-dp\nok optimality"},
            "{plan}:5: formulation: expected text without control characters, got 'joint-dp\\nok optimality'",
        ),
        (
            {"bound": "1_0"},
            "{plan}:13: bound: expected an exact number (an integer, or a decimal or fraction as text), got '1_0'",
        ),
    ],
)
def test_what_is_no_plan_of_the_instance_is_bad_input(run, made, change, message):
    plan, _ = made("lenet-c")
    document = json.loads(plan.read_text()) | change
    plan.write_text(json.dumps(document, indent=1))
    from hypar_opt.instance import load

    ran = run("verify", "lenet-c", plan)
    expected = message.format(plan=plan, hash=load("lenet-c").sha256[:12])
    assert (ran.code, ran.out, ran.err) == (2, "", f"error: {expected}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"objective": NaN}', "1: NaN is not a finite number"),
        ('{"objective": 1e999999999}', "1: a number beyond 1e100 or below 1e-100 is not allowed"),
        ('{"objective": ' + "9" * 5000 + "}", "1: a number of more than 100 characters is not allowed"),
        ("[1]", "1: expected a mapping at the top, got [1]"),
        ("", "1: the file is empty"),
    ],
)
def test_a_hostile_plan_file_is_bad_input(run, tmp_path, text, message):
    plan = tmp_path / "plan.json"
    plan.write_text(text)
    ran = run("verify", "lenet-c", plan)
    assert (ran.code, ran.err) == (2, f"error: {plan}:{message}\n")


def test_a_certificate_is_checked_alone(run, made):
    _, certificate = made("vgg-a")
    ran = run("check-certificate", certificate)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "proven: vgg-a, batch 256, H = 4, published: no plan is below 1,524,820,480 B, "
        "and the plan in the file costs that\n"
    )
    assert json.loads(run("check-certificate", certificate, "--json").out)["verdict"] == "proven"
    assert run("check-certificate", certificate, "-q").out == "proven\n"


def test_costs_have_a_unit_only_where_the_certificate_says_what_is_added_up(run, tmp_path):
    certificate = tmp_path / "weighed.cert"
    objective = ["--objective", "communication=2"]
    assert run("solve", "lenet-c", *objective, "--certificate", certificate).code == 0
    out = run("check-certificate", certificate).out
    assert "no plan is below 35,206,080, and the plan in the file costs that" in out


def test_a_certificate_of_a_graph_with_joins(run, made):
    plan, certificate = made("resnet-18")
    assert run("check-certificate", certificate).code == 0
    assert run("verify", "resnet-18", plan, "--certificate", certificate).code == 0


def rewritten(path, change):
    """Change the header of a certificate."""
    with ZipFile(path) as archive:
        header, messages = json.loads(archive.read("header.json")), archive.read("messages.npy")
    change(header)
    with ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("messages.npy", messages)


def test_a_false_certificate_is_not_proven(run, made):
    plan, certificate = made("lenet-c")
    rewritten(certificate, lambda header: header["claim"].update(bound="1"))
    ran = run("check-certificate", certificate)
    assert ran.code == 1
    assert ran.out.startswith("not proven: lenet-c, batch 256, H = 4, published: the potentials prove the bound ")
    ran = run("verify", "lenet-c", plan, "--certificate", certificate)
    assert ran.code == 3
    assert ran.out.startswith("undecided: lenet-c, OPTIMAL by joint-dp\n")
    assert "?   certificate    the potentials prove the bound" in ran.out
    assert run("verify", "lenet-c", plan).code == 0


def test_a_certificate_is_read_whatever_the_plan_claims(run, made, tmp_path):
    plan, _ = made("lenet-c")
    changed(plan, status="FEASIBLE", bound=None)
    ran = run("verify", "lenet-c", plan, "--certificate", tmp_path / "nowhere")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {tmp_path / 'nowhere'}: ")


@pytest.mark.slow
def test_a_signal_ends_a_verification_with_its_code(start_program, made):
    plan, _ = made("vgg-e", "--levels", "20")
    process = start_program("verify", "vgg-e", plan, "--json-lines")
    assert "event" in json.loads(process.stdout.readline())  # the search has begun
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (130, "")
    assert json.loads(out.splitlines()[-1])["verdict"] in ("undecided", "confirmed")


def test_a_certificate_of_another_instance_is_bad_input(run, made, tmp_path):
    plan, certificate = made("lenet-c")
    other = tmp_path / "other.cert"
    run("solve", "lenet-c", "--levels", "3", "--certificate", other, "-q")
    ran = run("verify", "lenet-c", plan, "--certificate", other)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"error: {other}: problem.overrides: is a certificate of another problem: "
        "it has {'levels': 3}, this instance has {}\n"
    )
    assert run("verify", "lenet-c", plan, "--certificate", certificate).code == 0


def test_a_formulation_without_potentials_refuses_before_it_searches(run, tmp_path):
    path = tmp_path / "plan.cert"
    ran = run("solve", "sfc", "-f", "cp-sat", "--certificate", path)
    assert (ran.code, ran.err) == (2, "error: cp-sat writes no certificates; joint-dp does, where its tables fit\n")
    assert not path.exists()


def test_plan_and_certificate_need_a_file_each(run, tmp_path):
    path = tmp_path / "one"
    ran = run("solve", "sfc", "-o", path, "--certificate", path)
    assert ran.code == 2
    assert "--output and --certificate name the same file" in ran.err


def test_what_is_no_certificate_is_bad_input_and_stays_as_it_is(run, tmp_path):
    path = tmp_path / "plan.cert"
    path.write_text("not a zip archive")
    ran = run("check-certificate", path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {path}: ")
    assert path.read_text() == "not a zip archive"
