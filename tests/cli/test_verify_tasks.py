"""Plans of task graphs with one thing changed, through the command."""

from __future__ import annotations

import json

import pytest

from hypar_opt import solve
from hypar_opt.instance.tasks import NOT_DONE
from tests.task_graphs import task_graph_document


def _with(name, text):
    return lambda document: document["plan"].update({name: text})


TWO = task_graph_document(
    {"on": ["core"], "seconds": 2}, {"on": ["core"], "after": ["k1"], "seconds": "1/3"}, resources={"core": 1}
)


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """Return the text of a plan of the two tasks."""
    folder = tmp_path_factory.mktemp("planned")
    (folder / "tasks.json").write_text(json.dumps(TWO), encoding="utf-8")
    solve(folder / "tasks.json", "task-list-tail").save(folder / "plan.json")
    return (folder / "plan.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "code", "text"),
    [
        (lambda _: None, 0, "confirmed"),
        (_with("k2", "5/3"), 1, "k2 begins at about 1.666666667 s, about 0.3333333333 s too early: k1 ends at 2 s"),
        (_with("k2", NOT_DONE), 1, "k2 is not done, and it is in no group"),
        (_with("k2", "two"), 1, "task 'k2': expected seconds as '7/3'"),
        (lambda document: document.update(objective=2, bound=2), 1, "claimed 2 s, it is about 2.333333333 s"),
        (lambda document: document["plan"].pop("k1"), 1, "the begin of task 'k1' is missing"),
        (_with("k3", "0"), 1, "no task is called 'k3'"),
    ],
    ids=["nothing", "begin", "left out", "text", "value", "missing", "unknown"],
)
def test_the_command_catches_it(change, code, text, planned, tmp_path, run):
    tasks, plan = tmp_path / "tasks.json", tmp_path / "plan.json"
    tasks.write_text(json.dumps(TWO), encoding="utf-8")
    document = json.loads(planned)
    change(document)
    plan.write_text(json.dumps(document), encoding="utf-8")
    found = run("verify", tasks, plan)
    assert (found.code, text in " ".join(found.out.split())) == (code, True), found
