"""Notebooks do what is kept in them as their outputs, and are pages of the site."""

from __future__ import annotations

import copy
import shutil
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT
from tests.docs.comparing import difference
from tests.docs.notebook import read, source

NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def unlike_outputs(shown, real):
    """Return the ids of the cells whose outputs differ from a real run; pictures are compared by their kind."""
    pairs = [(one, other) for one, other in zip(shown["cells"], real["cells"], strict=True) if "outputs" in one]
    return [one["id"] for one, other in pairs if not _alike(one["outputs"], other["outputs"])]


def _alike(shown, real):
    return len(shown) == len(real) and all(map(_same, shown, real))


def _same(shown, real):
    if "text" in shown or "text" in real:
        return difference("".join(shown.get("text", [])), "".join(real.get("text", []))) is None
    texts = [kind for kind in shown["data"] if kind.startswith("text/")]
    return shown["data"].keys() == real["data"].keys() and all(
        difference("".join(shown["data"][kind]), "".join(real["data"][kind])) is None for kind in texts
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Return notebooks by name as they are after a run in a process of their own."""
    found = {}
    for path in NOTEBOOKS:
        again = shutil.copy(path, tmp_path_factory.mktemp("notebook") / path.name)
        command = [sys.executable, "-m", "tests.docs.notebook", str(again)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found[path.name] = read(again)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_it_does_what_it_shows(path, ran):
    assert unlike_outputs(read(path), ran[path.name]) == []


def test_another_output_is_noticed(ran):
    real = ran["python.ipynb"]
    with_output = [position for position, cell in enumerate(real["cells"]) if cell.get("outputs")]
    assert len(with_output) > 5
    for position in with_output:
        other = copy.deepcopy(real)
        (output, *_) = other["cells"][position]["outputs"]
        if "text" in output:
            output["text"] = ["something else\n"]
        else:
            output["data"] = {"text/plain": ["something else"]}
        assert unlike_outputs(other, real) == [real["cells"][position]["id"]]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_it_is_a_notebook_of_version_4_5(path):
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    counts = [cell["execution_count"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_as_a_page(hooks):
    notebook = read(ROOT / "docs" / "notebook" / "python.ipynb")
    page = hooks.notebooks.as_markdown(notebook, "python.ipynb")
    assert page.startswith("# In a notebook\n")
    assert all(f"```python\n{source(cell)}\n```" in page for cell in notebook["cells"] if cell["cell_type"] == "code")
    assert "```text\nkernel: expected an integer of at least 1, got 0\n```" in page
    assert "<p>mine: OPTIMAL by joint-dp in " in page
    assert page.count('src="data:image/svg+xml;base64,') == 1


@pytest.mark.slow
def test_the_page_is_on_the_site(site):
    page = (site / "notebook" / "python.html").read_text(encoding="utf-8")
    assert "conv2" in page
    assert (site / "notebook" / "python.ipynb").exists()
