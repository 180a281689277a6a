"""No block of a page escapes being run; what cannot be run is listed here."""

from __future__ import annotations

import pytest

from tests.docs.blocks import ROOT, blocks_of, indented_blocks, pages
from tests.docs.page import KINDS

NOT_RUN = {
    ("count-conversions.md", "hypar-opt count-conversions 2x3 -o 2x3.json"): "compiles 82 programs",
    (
        "README.md",
        "hypar-opt serve  # a page on which instances are picked or uploaded, edited and solved",
    ): "answers until it is stopped; tests/web starts it",
    (
        "README.md",
        "hypar-opt solve asplos-2025-iopddl-A.json.gz --time-limit 60 -o plan.json --certificate bound.cert",
    ): "the file is of others, and has to be downloaded",
    (
        "commands.md",
        "# bash: one of the two; the second needs the package bash-completion",
    ): "writes to the user's own folders",
    ("quick-start.md", "python3 -m venv .venv"): "installs packages from an index",
    ("import.md", "hypar-opt import onnx resnet50.onnx --batch 256 -o resnet50.yaml"): "the file is of others",
    ("import.md", "hypar-opt import pipeline vgg16.txt --devices 4 -o vgg16.yaml"): "the file is of others",
    ("import.md", "import torch"): "needs PyTorch, which is gigabytes",
    (
        "import.md",
        "hypar-opt import torch models:resnet50 --batch 256 -o resnet50.yaml",
    ): "needs PyTorch, which is gigabytes",
    ("import.md", "import jax"): "needs JAX, which is an extra",
    ("traces.md", "git clone --recurse-submodules https://github.com/astra-sim/astra-sim"): "needs ASTRA-sim",
    ("autoparallel.md", "from autoparallel.api import AutoParallel"): "needs autoparallel",
    ("autoparallel.md", "hypar-opt solve problem.json -f cp-sat -o plan.json"): "needs autoparallel",
    ("first-model.md", "python3 -m venv .venv"): "installs packages from an index",
    ("first-model.md", "import torch"): "needs PyTorch, which is gigabytes",
    ("first-model.md", "$ hypar-opt import torch models:resnet50 --batch 256 --loss -o resnet50.yaml"): (
        "needs PyTorch, which is gigabytes"
    ),
    ("serve.md", "$ hypar-opt serve"): "answers until it is stopped; tests/web starts it",
    ("serving.md", "$ hypar-opt serve"): "answers until it is stopped; tests/web starts it",
    (
        "serving.md",
        "$ curl -s localhost:8787/api/jobs -H 'content-type: application/json' \\",
    ): "asks the server above; tests/web asks the same",
    ("serving.md", "$ hypar-opt serve --on local:4"): "answers until it is stopped; tests/web starts it",
    ("cluster.md", "node0$ dask scheduler --port 8786"): "of three machines",
    (
        "cluster.md",
        "hypar-opt campaign chains --count 100000 --store chains.sqlite --on slurm:16",
    ): "there is no Slurm here",
}
"""By page and first line: why. A block that is not run needs a reason here as well as above it."""
SMALLER = {
    ("README.md", "audit hypar-hpca19 => audit hypar-hpca19 --only fig5-sfc; 1000 => 100 --no-shrink"),
    ("README.md", "compare-arrays sfc lenet-c => compare-arrays lenet-c --arrays h-tree-16,torus-16"),
    ("README.md", "report lenet-c sfc => report sfc"),
    ("figure.md", "--figures => --figures --without front,exploration,scaling"),
    ("campaigns.md", "100000 => 60 --no-shrink; 2000 => 60 --no-shrink; 2-6 => 2-6 --count 40 --no-shrink"),
    ("campaigns.md", "2000 => 60"),
    ("campaigns.md", "100 => 2"),
    ("campaigns.md", "1000000 => 60 --no-shrink"),
    ("campaigns.md", "100000 => 40 --no-shrink"),
}
"""What is run with other numbers than it shows."""
EVERY = [block for page in pages() for block in blocks_of(page)]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_has_a_fence(page):
    assert indented_blocks(page) == []


def test_every_block_is_of_a_language_that_is_run():
    assert [f"{block.where}: {block.language or 'none'}" for block in EVERY if block.language not in KINDS] == []


def test_what_is_not_run_is_listed_with_its_reason():
    found = {
        (block.page.name, block.body.splitlines()[0]): block.notes["not run"]
        for block in EVERY
        if "not run" in block.notes
    }
    assert found == NOT_RUN


def test_what_is_run_in_another_size_is_listed():
    assert {(block.page.name, block.notes["smaller"]) for block in EVERY if "smaller" in block.notes} == SMALLER


def test_there_are_blocks_of_every_kind():
    assert {block.language for block in EVERY} >= {"console", "sh", "python", "pycon", "yaml", "json", "diff", "toml"}
    assert len(EVERY) > 60


@pytest.mark.parametrize(("page", "files"), [("topology.md", 1), ("format.md", 1)])
def test_an_extension_touches_no_more_files_than_it_may(page, files):
    blocks = blocks_of(ROOT / "docs" / "extending" / page)
    written = {block.title for block in blocks if block.title.startswith(("hypar_opt/", "formulations/"))}
    changed = {
        line for block in blocks if block.language == "diff" for line in block.body.splitlines() if line[:4] == "+++ "
    }
    assert len(written | changed) == files
