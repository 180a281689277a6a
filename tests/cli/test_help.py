"""What the program says of itself: of every command, examples that can be typed, and exit codes."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.group import SUMMARIES, cli

PROGRAM = [None, *SUMMARIES]
"""The program as a whole, and its commands."""
EXAMPLE = re.compile(r"^  .*?hypar-opt ([a-z][^>#)\n]*)", re.MULTILINE)


def help_of(run, command):
    ran = run(*filter(None, [command]), "--help")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def examples_in(text):
    """Return the words of every example behind the program's name."""
    return [shlex.split(line) for line in EXAMPLE.findall(text.partition("Examples:")[2].partition("Exit codes:")[0])]


def parse(words):
    """Read a command line as the command does, and run nothing."""
    with cli.make_context("hypar-opt", [*words]) as context:
        name, command, rest = cli.resolve_command(context, words)
        command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("command", PROGRAM)
def test_help_has_examples_and_exit_codes(run, command):
    said = help_of(run, command)
    assert re.findall(r"^  (Examples|Exit codes):", said, re.MULTILINE) == ["Examples", "Exit codes"]
    assert "130" in said.partition("Exit codes:")[2]


@pytest.mark.parametrize("command", PROGRAM)
def test_every_example_can_be_typed(run, command):
    found = examples_in(help_of(run, command))
    assert found
    assert command is None or command in {words[0] for words in found}
    for words in found:
        parse(words)


@pytest.mark.parametrize("line", ["solve sfc --levles 3", "compare", "list networks", "slove sfc"])
def test_an_example_that_cannot_be_typed_is_found(line):
    [words] = examples_in(f"Examples:\n  hypar-opt {line}    # for a reason\nExit codes:")
    with pytest.raises(click.UsageError):
        parse(words)


@pytest.mark.parametrize("command", PROGRAM)
def test_help_before_a_command_is_help_behind_it(run, command):
    asked = run("help", *filter(None, [command]))
    assert (asked.code, asked.err) == (0, "")
    assert asked.out == help_of(run, command)


def test_help_for_no_command(run):
    ran = run("help", "slove")
    assert (ran.code, ran.out) == (2, "")
    assert "no command is called 'slove'; did you mean 'solve'?" in ran.err


def test_exit_codes_stand_below_each_other():
    assert epilog("hypar-opt list arrays", codes={0: "listed " * 12, 2: "bad"}, stopped=", at once").splitlines() == [
        "\b",
        "Examples:",
        "  hypar-opt list arrays",
        "",
        "\b",
        "Exit codes:",
        "  0         listed listed listed listed listed listed listed listed listed",
        "            listed listed listed",
        "  2         bad",
        "  130, 143  after SIGINT, SIGTERM, at once",
    ]
