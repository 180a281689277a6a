"""What pages take from the program, and what happens to them on their way to the site."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from click import Context

from hypar_opt.cli.group import SUMMARIES, cli
from hypar_opt.instance.schema import instance_json_schema
from tests.docs.blocks import ROOT

SCHEMA = instance_json_schema()
PARTS = {"the file": SCHEMA, **SCHEMA["$defs"]}
FIELDS = [(part, name) for part, one in PARTS.items() for name in one.get("properties", {})]


@pytest.fixture(scope="module")
def tables(hooks):
    """By part of an instance file and field, the cells of its row."""
    places = {place: name for name, place in hooks.fields.TITLES.items()}
    found = {}
    for section in re.split(r"^### ", hooks.fields.as_markdown(), flags=re.MULTILINE)[1:]:
        title = section.splitlines()[0].strip("`")
        for line in section.splitlines():
            if line.startswith("| `"):
                name, *cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
                found[places.get(title, title), name.strip("`")] = cells
    return found


@pytest.mark.parametrize(("part", "name"), FIELDS)
def test_every_field_has_its_description_type_default_and_limits(part, name, tables):
    field = PARTS[part]["properties"][name]
    row = " | ".join(tables[part, name])
    assert field["description"] in row
    for value in _values(field, ("enum", "const")):
        assert f"`{value}`" in row
    for limit in _values(field, ("minimum", "maximum", "exclusiveMinimum", "maxLength", "maxItems", "multipleOf")):
        # a number above 0 is at least 0, too, and need not say so
        assert f"{limit:,}" in row or (limit == 0 and "above 0" in row)
    if name in PARTS[part].get("required", []):
        assert "required" in row
    default = field.get("default")
    if isinstance(default, str | int):
        assert f"`{default if isinstance(default, str) else json.dumps(default)}`" in row


def test_no_other_field_is_there(tables):
    assert set(tables) == set(FIELDS)


def _values(field, keywords):
    """Yield what a field's schema says by keywords, in all its parts."""
    for keyword, value in field.items():
        if keyword in keywords:
            yield from value if isinstance(value, list) else [value]
        elif isinstance(value, dict) and keyword != "not":
            yield from _values(value, keywords)
        elif isinstance(value, list):
            for one in value:
                yield from _values(one, keywords) if isinstance(one, dict) else ()


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_command_s_page_has_its_options_examples_and_exit_codes(name, hooks):
    text = hooks.generated.filled(f"<!-- generated: command {name} -->")
    command = cli.get_command(None, name)
    for option in command.params:
        assert max(option.opts, key=len) in text or option.make_metavar(Context(command)) in text
    assert command.help.split("\n")[0].split("\f")[0].strip() in text
    for line in filter(None, (line.strip(" \b") for line in (command.epilog or "").splitlines())):
        assert line in text
    assert f"[`{name}`](commands/{name}.md)" in hooks.commands.overview()


def test_a_page_in_the_folder_is_of_a_command_and_takes_its_own_help():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "commands").glob("*.md")}
    assert set(pages) <= set(SUMMARIES)
    for name, text in pages.items():
        assert re.findall(r"<!-- generated: (.*) -->", text) == [f"command {name}"]
        assert text.startswith(f"# {name}\n")


def test_a_command_without_a_page_is_given_one(hooks, tmp_path):
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "solve.md").touch()
    found = hooks.commands.without_page(tmp_path)
    assert set(found) == set(SUMMARIES) - {"solve"}
    assert "# verify\n" in found["verify"] and "<!-- generated: command verify -->" in found["verify"]


def test_the_commands_stand_below_one_entry_of_the_navigation(hooks):
    other = {"Model": [{"What": "model.md"}]}
    before, found, after = hooks.commands.navigation([other, {"Reference": [{"Commands": "commands.md"}]}, other])
    assert before == after == other
    assert found["Reference"][0]["Commands"][:2] == [{"All commands": "commands.md"}, {"solve": "commands/solve.md"}]
    assert len(found["Reference"][0]["Commands"]) == 1 + len(SUMMARIES)


def test_help_is_no_markup(hooks):
    assert hooks.commands._plain("a <b> | c*") == "a &lt;b> &#124; c\\*"


@pytest.mark.parametrize(
    ("page", "link", "site"),
    [
        ("model.md", "../reports/published.md", "reports/published.md"),
        ("model.md", "arrays.md#routes", "arrays.md#routes"),
        ("formulations/joint.md", "../counterexamples.md#x", "../counterexamples.md#x"),
        ("extending/topology.md", "../../reports/arrays/arrays.md", "../reports/arrays/arrays.md"),
        ("reports/evaluation/README.md", "../../docs/evaluation.md", "../../evaluation.md"),
        ("reports/evaluation/README.md", "figure-6.png", "figure-6.png"),
        ("index.md", "https://example.org/docs/x.md", "https://example.org/docs/x.md"),
    ],
)
def test_links_of_the_checkout_become_links_of_the_site(page, link, site, hooks):
    assert hooks.report_pages.linked(f"see [this]({link}).", page) == f"see [this]({site})."


def test_formulae_become_mathml(hooks):
    html = r'<p><span class="arithmatex">\(a_1 &lt; b\)</span></p><div class="arithmatex">\[\sum_i x_i\]</div>'
    drawn = hooks.mathml.drawn(html)
    found = [one for one in ElementTree.fromstring(f"<x>{drawn}</x>").iter() if one.tag.endswith("}math")]
    assert [one.get("alttext") for one in found] == ["a_1 < b", r"\sum_i x_i"]
    assert [one.get("display") for one in found] == ["inline", "block"]
    assert "arithmatex" not in drawn


def test_what_is_minimised_over_stands_below(hooks):
    drawn = hooks.mathml.drawn(r'<div class="arithmatex">\[\min_x \max_{y} f_x\]</div>')
    assert drawn.count('<munder><mo movablelimits="true">') == 2
    assert 'alttext="\\min_x \\max_{y} f_x"' in drawn


def test_rows_are_aligned(hooks):
    rows = r"\begin{aligned} \min \quad &amp; x \\ &amp; x \ge 1 \end{aligned}"
    drawn = hooks.mathml.drawn(f'<div class="arithmatex">\\[{rows}\\]</div>')
    assert drawn.count("<mtr>") == 2 and '<mtd columnalign="right"><mo>min</mo>' in drawn


@pytest.mark.parametrize("formula", [r"\unheard{x}", "a &amp; b"])
def test_a_formula_that_cannot_be_drawn_is_an_error(formula, hooks):
    with pytest.raises(ValueError, match="does not know all of this formula"):
        hooks.mathml.drawn(f'<span class="arithmatex">\\({formula}\\)</span>')


def test_lengths_are_said_once(hooks):
    of = {"type": "array", "items": {"type": "integer", "minimum": 1}}
    either = {"anyOf": [{**of, "minItems": 1, "maxItems": 1}, {**of, "minItems": 3, "maxItems": 3}]}
    row = hooks.fields._row("input", {**either, "description": "shape"}, required=True)
    assert (
        row
        == "| `input` | shape | list of integer | required | exactly 1 element or exactly 3 elements; each at least 1 |"
    )
    assert list(hooks.fields.limits({"minLength": 1, "maxLength": 1000})) == [
        "at least 1 character",
        "at most 1,000 characters",
    ]


def test_only_plain_tables_get_a_box(hooks):
    html = '<table><tr></tr></table><table class="highlighttable"></table>'
    assert hooks.reading.scrollable(html).count('class="wide"') == 1
    assert hooks.reading.scrollable(html).count("</div>") == 1


def test_an_unknown_mark_is_an_error(hooks):
    with pytest.raises(KeyError, match="colours"):
        hooks.generated.filled("<!-- generated: colours -->")
    with pytest.raises(KeyError, match="slove"):
        hooks.generated.filled("<!-- generated: command slove -->")
