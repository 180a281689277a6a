"""Claims judged in groups, by whoever and in whatever order: the rows are those of one process."""

from __future__ import annotations

import pickle
from threading import Event as Flag

from executor.here import Here

from hypar_opt.executor.pieces import PieceResult
from hypar_opt.formulation.run import Limits
from hypar_opt.studies.claims import audit, read_claims
from hypar_opt.studies.claims import audits as audits_module
from hypar_opt.studies.claims.audits import audit_files, worth_processes
from hypar_opt.studies.claims.groups import _joined, groups_of, judge_group

GAIN = {"formulation": "hypar-dp", "over": "data-parallel"}
TOTAL = {"total": {"formulation": "hypar-dp", "communication_bytes": 100}}
PLAN = {"plan": {"formulation": "hypar-dp", "others": "dd"}}
RING = {"formulation": "ring", "quantity": "steps", "value": "6"}


def array(count):
    return {"topology": "ring", "accelerators": count}


CLAIMS = (
    {"instance": "machine.json", "mean_of": {"value": "1.68", "claims": ["c4", "c1"]}},
    {"instance": "machine.json", "performance_gain": {**GAIN, "value": "1.7"}},
    {"instance": "small.json", **TOTAL},
    {"arithmetic": {"counts": {"n": 2}, "equals": "n + n", "value": "4"}},
    {"instance": "machine.json", "performance_gain": {**GAIN, "value": "~1.67", "within": "3 %"}},
    {"instances": ["small.json", "wide.json"], "gmean": {"formulation": "hypar-dp", "communication_bytes": 100}},
    {"instance": "small.json", **PLAN},
    {"collective": {**RING, "arrays": [array(4)]}},
    {"instance": "graph.json", **TOTAL},
    {"collective": {**RING, "arrays": [array(4)], "quantity": "sent", "value": "6"}},
    {"collective": {**RING, "arrays": [array(4), array(3)]}},
    {"collective": {**RING, "arrays": [array(5)]}},
)
GROUPS = [("c5",), ("c4", "c1"), ("c2", "c6"), ("c7", "c9", "c10"), ("c11",), ("c8",), ("c3",)]


def killed_by(*ids):
    """Return workers that claims of these names kill."""
    return Here(lambda group: any(claim.id in ids for claim in group.claims))


def test_claims_that_share_solves_are_one_group(write):
    groups = [tuple(claim.id for claim in group.claims) for group in groups_of(read_claims(write(*CLAIMS)).claims)]
    assert sorted(groups) == sorted(GROUPS)


def test_parts_are_judged_though_nobody_asks_for_them(write):
    (mean,) = read_claims(write(*CLAIMS)).only(["c0"]).claims
    assert [claim.id for group in groups_of([mean]) for claim in group.claims] == ["c4", "c1"]
    assert audit_files([[mean]], Here()) == [audit([mean])]


def test_the_rows_are_those_of_one_process(write):
    claims, told = read_claims(write(*CLAIMS)).claims, []
    expected = audit(claims)
    assert {row.verdict.value for row in expected} == {"confirmed", "refuted", "undecided"}
    assert audit_files([claims, claims[::-1]], Here(), on_row=told.append) == [expected, expected[::-1]]
    assert told == [*expected, *expected[::-1]]
    assert audit_files([claims, claims[:2]]) == [expected, expected[:2]]


def test_whoever_judges_needs_no_file(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    link = "link: {bandwidth: 200000000}"
    (tmp_path / "mine.yaml").write_text(f"topology: torus\nlevels: 4\ndims: [4, 4]\n{link}\n", encoding="utf-8")
    two = {"array": "mine.yaml", "than": "mine.yaml"}
    claim = {
        "instances": ["lenet-c"],
        "slower": {"formulation": "hypar-dp", **two, "placement": "identity", "times": "1.0"},
    }
    (group,) = groups_of(read_claims(write(claim)).claims)
    sent = pickle.dumps(group)
    (tmp_path / "mine.yaml").unlink()
    (found,) = judge_group(pickle.loads(sent), Limits())
    assert found.verdict.value in ("confirmed", "refuted")


def test_it_is_told_how_many_groups_are_run(write):
    heard = []
    audit_files([read_claims(write(*CLAIMS)).claims], Here(), listener=heard.append)
    running = [event.progress.running for event in heard]
    assert max(running) == Here().count
    assert (running[-1], heard[-1].progress.done, heard[-1].progress.total) == (0, len(CLAIMS), len(CLAIMS))


def test_the_order_in_which_groups_come_is_of_no_importance(write, monkeypatch):
    def backwards(workers, function, pieces, limits, *, most):
        for index, piece in reversed([*enumerate(pieces)]):
            yield PieceResult(index, piece, function(piece, limits))

    monkeypatch.setattr(audits_module, "run_pieces", backwards)
    claims, told = read_claims(write(*CLAIMS)).claims, []
    assert audit_files([claims], Here(), on_row=told.append) == [audit(claims)] == [told]


def test_what_kills_its_workers_is_undecided_and_nothing_else(write):
    claims, workers = read_claims(write(*CLAIMS)).claims, killed_by("c6")
    (rows,) = audit_files([claims], workers)
    expected = audit(claims)
    assert [row.claim.id for row, one in zip(rows, expected, strict=True) if row != one] == ["c6"]
    assert (rows[6].verdict.value, rows[6].judgement.why) == (
        "undecided",
        "the processes that judged it were killed, each time",
    )
    found = [[claim.id for group in batch for claim in group.claims] for batch in workers.batches]
    assert found[-2:] == [["c2"], ["c6"]]  # by itself


def test_a_mean_of_what_kills_is_undecided(write):
    (rows,) = audit_files([read_claims(write(*CLAIMS)).claims], killed_by("c4"))
    assert [rows[index].verdict.value for index in (0, 1, 4)] == ["undecided", "confirmed", "undecided"]


def test_a_stop_keeps_what_is_judged(write, monkeypatch):
    stop = Flag()

    def some(workers, function, pieces, limits, *, most):
        for index, piece in enumerate(pieces):
            if {"c5", "c3"} & {claim.id for claim in piece.claims}:
                yield PieceResult(index, piece, function(piece, limits))
        stop.set()

    monkeypatch.setattr(audits_module, "run_pieces", some)
    claims, told, heard = read_claims(write(*CLAIMS)).claims, [], []
    (rows,) = audit_files([claims], Here(), limits=Limits(stop=stop), on_row=told.append, listener=heard.append)
    assert [row.claim.id for row in rows] == ["c3", "c5"]
    assert rows == told
    assert heard[-1].progress.done == 2
    assert judge_group(groups_of(claims)[0], Limits(stop=stop)) == ()


def test_what_a_stop_leaves_unjudged_was_not_killed(write, monkeypatch):
    stop = Flag()

    def stopped(workers, function, pieces, limits, *, most):
        stop.set()
        for index, piece in enumerate(pieces):
            yield PieceResult(index, piece, function(piece, limits))

    monkeypatch.setattr(audits_module, "run_pieces", stopped)
    assert audit_files([read_claims(write(*CLAIMS)).claims], Here(), limits=Limits(stop=stop)) == [[]]


def test_few_claims_are_not_worth_processes(write):
    claims = read_claims(write(*CLAIMS)).claims
    assert not worth_processes([claims])
    assert worth_processes([claims] * 10)


def test_arrays_are_joined_by_chains_of_claims():
    sets = [frozenset("ab"), frozenset("cd"), frozenset("e"), frozenset("bc"), frozenset(), frozenset("fe")]
    joined = _joined(sets)
    assert [{one for one in joined if joined[one] == stand} for stand in "ae"] == [set("abcd"), set("ef")]
