"""Completion of shells: the scripts, and the words."""

from __future__ import annotations

import os

import pytest

from hypar_opt.cli.invoke import COMPLETION


@pytest.mark.parametrize(("shell", "line"), [("zsh", "#compdef hypar-opt"), ("fish", "complete --no-files")])
def test_a_shell_is_given_its_script(program, shell, line):
    ran = program(env=os.environ | {COMPLETION: f"{shell}_source"})
    assert (ran.code, ran.err) == (0, "")
    assert line in ran.out


@pytest.mark.parametrize(
    ("words", "completed"), [("hypar-opt so", "plain,solve"), ("hypar-opt solve --tim", "plain,--time-limit")]
)
def test_words_are_completed(run, monkeypatch, words, completed):
    monkeypatch.setenv(COMPLETION, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    ran = run()
    assert (ran.code, ran.out, ran.err) == (0, f"{completed}\n", "")
