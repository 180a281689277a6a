"""--on: who has it, what it takes, and what those say that do not have it."""

from __future__ import annotations

import click
import pytest

from hypar_opt.cli.errors import helped
from hypar_opt.cli.group import cli
from hypar_opt.cli.on import on_option
from hypar_opt.util.errors import InputError


@click.group()
def tools():
    """Have two commands of many pieces, one of them in a group, and one of one piece."""


@tools.command()
@on_option
def many(on):
    click.echo(f"{on.engine}, {on.count}")


@tools.group()
def inner():
    pass


@inner.command()
@on_option
def more(on):
    pass


@tools.command()
def one():
    pass


def refused(group, *arguments):
    with pytest.raises(click.NoSuchOption) as error, group.make_context("tools", [*arguments]) as context:
        group.invoke(context)
    return helped(error.value, group).format_message()


def test_a_command_of_one_piece_says_which_have_many():
    assert refused(tools, "one", "--on", "local:2") == "one runs one piece; --on is for inner more, many"


def test_other_options_are_answered_as_ever():
    assert refused(tools, "one", "--onn") == "No such option '--onn'."
    assert refused(tools, "many", "--om").startswith("No such option '--om'.")


def test_where_no_command_has_it_nothing_is_said_of_others():
    alone = click.Group(commands=[one])
    assert refused(alone, "one", "--on").startswith("No such option '--on'.")


@pytest.mark.parametrize("command", ["solve", "verify", "show", "simulate", "export"])
def test_commands_of_one_piece_are_answered_so(run, command):
    having = [name for name in cli.summaries if any("--on" in one.opts for one in cli.get_command(None, name).params)]
    ran = run(command, "lenet-c", "--on", "local")
    assert (ran.code, ran.out) == (2, "")
    if having:
        assert f"Error: {command} runs one piece; --on is for {', '.join(having)}\n" in ran.err


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("local:0", "--on: expected local or local:N, N from 1 to 1024, got 'local:0'"),
        ("local:4096", "--on: expected local or local:N, N from 1 to 1024, got 'local:4096'"),
        ("local:two", "--on: expected local or local:N, N from 1 to 1024, got 'local:two'"),
        ("lcoal:2", "got 'lcoal:2'; did you mean 'local'?"),
        ("Local", "got 'Local'; did you mean 'local'?"),
        ("", "got ''"),
    ],
)
def test_what_is_no_engine_is_refused_with_what_is_close_to_it(said, message):
    with pytest.raises(InputError) as error:
        many.make_context("many", ["--on", said])
    assert message in str(error.value)
