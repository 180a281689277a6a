"""The house stays as it is: sixteen rooms, no circles; and what counts it counts what it says."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from hypar_opt import solve
from tests.structure.__main__ import counts_of, main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def counts():
    return counts_of(ROOT)


def test_sixteen_rooms(counts):
    assert counts["rooms at the top of hypar_opt"] == 16


def test_no_circles(counts):
    assert counts["circles of modules"] == 0


def test_a_name_is_used_for_one_class(counts):
    assert counts["class names used twice"] == 0


def test_how_an_array_is_cut_is_asked_for(counts):
    assert counts["1 << levels"] == 0


@pytest.fixture
def checkout(tmp_path):
    """Return a checkout of two rooms that import each other."""
    files = {
        "hypar_opt/__init__.py": "",
        "hypar_opt/one.py": '"""Said."""\n\nfrom hypar_opt.two import part\n\n\nclass Same:\n    pass\n# said\n',
        "hypar_opt/two/__init__.py": "",
        "hypar_opt/two/part.py": "def f(x):\n    import hypar_opt.one\n    return isinstance(x, Problem | Same)\n",
        "formulations/one.py": "class Same:\n    pass\n\n\ncount = 1 << graph.levels\n",
        "formulations/two.py": "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n" * 2,
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_what_is_counted(checkout):
    assert counts_of(checkout) == {
        "rooms at the top of hypar_opt": 2,
        "files": 6,
        "lines of code": 21,
        "functions and methods": 1,
        "arrows between rooms": 2,
        "circles of modules": 1,
        "class names used twice": 1,
        "copies of six lines": 1,
        "isinstance on kinds": 1,
        "caches in another's __dict__": 0,
        "1 << levels": 1,
    }


def test_a_column_a_checkout(checkout, capsys):
    main([checkout, checkout])
    assert capsys.readouterr().out.splitlines()[1].split() == ["files", "6", "6"]


def test_kinds_are_told_apart_only_where_a_name_a_path_or_an_instance_comes_in(counts):
    assert counts["isinstance on kinds"] <= 3


def test_nobody_keeps_anything_in_another_object(counts):
    assert counts["caches in another's __dict__"] == 0


def test_solving_walks_through_few_rooms():
    entered = set()

    def entering(frame, event, arg):
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith("hypar_opt.") and frame.f_code.co_name != "<module>":
            entered.add(name.split(".")[1])

    before = sys.getprofile()
    threading.setprofile(entering)
    sys.setprofile(entering)
    try:
        assert solve("vgg-a", "joint-dp").proven
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    assert {"solver", "cost", "evaluation"} < entered
    assert len(entered) <= 8
