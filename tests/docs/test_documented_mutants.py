"""The runner of the documentation's blocks notices what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, blocks_of, indented_blocks
from tests.docs.comparing import difference, unlike
from tests.docs.page import run_page
from tests.docs.shell import Shown, commands, session

PAGE = Path("page.md")
GOOD = """\
```console
$ hypar-opt solve greedy-published -f joint-dp
greedy-published: OPTIMAL by joint-dp in 1 ms (dynamic programme complete)
communication 192 B (192 bytes)
...
```
"""


def run(text, folder, **options):
    return run_page(PAGE, folder, slow=options.pop("slow", False), text=text)


def fenced(language, body, above=""):
    return f"{above}\n```{language}\n{body}\n```\n"


def test_what_is_right_passes(tmp_path):
    assert run(GOOD, tmp_path) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("192 B (192", "191 B (192"), r"page.md:1: .*prints something else"),
        (GOOD.replace("OPTIMAL", "FEASIBLE"), "-greedy-published: FEASIBLE"),
        (GOOD.replace("...\n", ""), r"\+level  groups"),
        (GOOD.replace("joint-dp\n", "joint-pd\n", 1), "ended with 2, not 0"),
        (fenced("sh", "hypar-opt solve no-such-instance"), "ended with 2, not 0"),
        (fenced("sh", "hypar-opt list instances\nhypar-opt verify x y"), "verify x y` ended with 2"),
        (fenced("sh", "false | true; false"), "ended with 1, not 0"),
        (fenced("sh", "make no-such-target"), "ended with 2, not 0"),
        (fenced("sh", "hypar-opt list instances", "<!-- exit: 1 -->"), "ended with 0, not 1"),
        (fenced("python", "x = 1 +"), "SyntaxError"),
        (fenced("python", "raise KeyError('x')"), "KeyError"),
        (fenced("pycon", ">>> 1 + 1\n3\n"), "Expected:\n    3\nGot:\n    2"),
        (fenced("yaml", "array: {topology: tours, levels: 1}"), "did you mean 'torus'"),
        (fenced("yaml", "objective: {bytes: 1}"), "array|objective"),
        (fenced("yaml", "colour: red"), r"neither an instance nor claims.*\['colour'\]"),
        (fenced("yaml", "claims:\n  - id: x"), "schema"),
        (fenced("json", '{"a": 1,}'), "JSONDecodeError"),
        (fenced("json", '{"a": 1, ...}', "<!-- like: none.json -->"), "FileNotFoundError"),
        (fenced("toml", "a = 1"), 'is a file: give it title="NAME"'),
        (fenced("diff", "--- a/hypar_opt/x.py\n+++ b/hypar_opt/x.py\n@@ -1 +1 @@\n-a\n+b"), "does not apply"),
        (fenced("text", "$ hypar-opt solve sfc"), "looks like code"),
        (fenced("bash", "true"), "page.md:2: expected a fence of console, sh, "),
        (fenced("sh", "true", "<!-- slwo -->"), "unknown comment above a block: slwo"),
        (fenced("sh", "true", "<!-- smaller: 5 => 1 -->"), "nothing to make smaller"),
        (fenced("console", "hypar-opt list instances"), "begins with `[$] COMMAND`"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(text, said, tmp_path):
    with pytest.raises(AssertionError, match=f"(?s){said}"):
        run(text, tmp_path)


def test_slow_blocks_wait_for_their_turn(tmp_path):
    text = fenced("sh", "false", "<!-- slow -->")
    assert [block.line for block in run(text, tmp_path)] == [2]
    (tmp_path / "again").mkdir()
    with pytest.raises(AssertionError, match="ended with 1"):
        run(text, tmp_path / "again", slow=True)


def test_a_block_without_a_fence_is_found():
    assert indented_blocks(PAGE, "Try\n\n    hypar-opt solve sfc\n\n* a list\n\n    goes on\n") == [3]


def test_blocks_share_a_folder_and_names(tmp_path):
    page = [
        fenced('json title="x.json"', '{"a": [1, 2]}'),
        fenced("python", "import json\nx = json.load(open('x.json'))"),
        fenced("pycon", ">>> x['a']\n[1, 2]\n"),
        fenced("json", '{"a": [1, ...]}', "<!-- like: x.json -->"),
    ]
    assert run("\n".join(page), tmp_path) == []


def test_times_versions_and_dates_may_differ_and_numbers_not():
    assert difference("done in 3.1 ms on 2026-01-02 by 1.2.3", "done in 14 s on 2025-11-12 by 0.10.3") is None
    assert difference("a step takes 3.1 ms", "a step takes 3.2 ms")
    assert difference("a\n  ...\nd", "a\nb\nc\nd") is None
    assert difference("a  b", "a b")


@pytest.mark.parametrize(
    ("shown", "real"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"b": 1, "...": None}, {"a": 1}),
        ([1], [1, 2]),
        ([{"a": 1}], [1]),
    ],
)
def test_documents_that_differ(shown, real):
    assert unlike(shown, real)


def test_documents_with_elisions():
    assert unlike({"a": [{"b": 1, "...": None}, "..."], "c": "..."}, {"a": [{"b": 1, "d": 2}, 3], "c": {}}) is None


def test_commands_are_taken_apart():
    assert commands('a b  # c\n\n# d\ne \\\n  f\ng "h\n  i"') == [Shown("a b"), Shown("e f"), Shown('g "h\n  i"')]
    assert session("$ a  # b\nc\n$ d") == [Shown("a", "c\n"), Shown("d")]


def test_a_note_belongs_to_the_block_below_it():
    first, second = blocks_of(PAGE, fenced("sh", "a", "<!-- slow -->\n<!-- exit: 1 -->\n") + fenced("sh", "b"))
    assert (first.notes, second.notes) == ({"slow": "", "exit": "1"}, {})


def test_pages_of_the_checkout_are_there():
    assert (ROOT / "docs" / "index.md").exists()
