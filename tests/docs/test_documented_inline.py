"""What stands in lines and tables, which nothing runs: commands and requests have to be such as there are."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from hypar_opt.cli.group import SUMMARIES, cli
from hypar_opt.web.job_request import Asked, LimitsSpec, RequestOverrides, read_asked
from tests.docs.blocks import ROOT, blocks_of, pages

COMMAND = re.compile(r"`(?:\.venv/bin/)?hypar-opt ([^`]+)`")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGET = re.compile(r"`make ([a-z-]+)`")


def unknown(text):
    """Return the commands, options and targets that a text names and that are not there."""
    found = [f"make {name}" for name in TARGET.findall(text) if not re.search(rf"^{name}:", MAKEFILE, re.MULTILINE)]
    for words in map(shlex.split, COMMAND.findall(text)):
        if words[0] not in (*SUMMARIES, "COMMAND"):
            found.append(words[0])
        elif words[0] in SUMMARIES:
            command = cli.get_command(None, words[0])
            if hasattr(command, "get_command"):  # a group: the options are those of the one that is named
                command = command.get_command(None, words[1] if len(words) > 1 else "")
                if command is None:
                    found.append(" ".join(words[:2]))
                    continue
            options = {name for one in command.params for name in one.opts} | {"--help"}
            found += [word for word in words[1:] if word.startswith("-") and word.split("=")[0] not in options]
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_lines_are_there(page):
    text = page.read_text(encoding="utf-8")
    slow = "".join(f"`{line}`\n" for block in blocks_of(page) if "slow" in block.notes for line in shown(block))
    assert unknown(text + slow) == []


def shown(block):
    """Return the commands of a block that only `make test-slow` runs, without what is said of them."""
    return [re.sub(r"\s+#\s.*$|^\$ ", "", line) for line in block.body.splitlines() if "hypar-opt " in line]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`hypar-opt compare lenet-c -f joint-dp`, `make docs`", []),
        ("`hypar-opt comprae lenet-c`", ["comprae"]),
        ("`.venv/bin/hypar-opt campaign --cuont 3`", ["--cuont"]),
        ("`make documents`", ["make documents"]),
        ("`hypar-opt campaign report a --figures`, `hypar-opt campaign`", []),
        ("`hypar-opt campaign report a --figrues`", ["--figrues"]),
        ("`hypar-opt task-graph plan a b --links`", []),
        ("`hypar-opt task-graph plan a b --lnks`", ["--lnks"]),
        ("`hypar-opt task-graph paln a b`", ["task-graph paln"]),
    ],
)
def test_what_is_not_there_is_found(text, found):
    assert unknown(text) == found


@pytest.mark.parametrize("left_out", ["instance", "shipped"])
def test_the_fields_of_a_job_are_as_they_are_written(left_out):
    [text] = [block.body for block in blocks_of(ROOT / "docs" / "serving.md") if block.language == "json"]
    job = json.loads(text)
    assert set(job) == set(Asked.model_fields)
    assert set(job["overrides"]) == set(RequestOverrides.model_fields)
    assert set(job["limits"]) == set(LimitsSpec.model_fields)
    del job[left_out]
    assert read_asked(job).model_dump(exclude_unset=True, mode="json") == job
