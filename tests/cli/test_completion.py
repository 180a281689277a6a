"""Completion of shells: the scripts, the words, and what a shell makes of both."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import sysconfig
import time

import pytest
from click.shell_completion import CompletionItem
from test_program import HEAVY

from hypar_opt import load, pareto_front, solve
from hypar_opt.cli.completion import VARIABLE
from hypar_opt.cli.completion.files import LARGEST
from hypar_opt.cli.completion.shells import SHELLS
from hypar_opt.cli.group import SUMMARIES, cli

PATIENCE_S = 60
PROMPT = "ready> "
CASES = {
    "list inst": "instances",
    "solve lenet-c-": "lenet-c-h2",
    "solve vn": "vnet.yaml",
    "compare sfc -f joint-dp,cp": "joint-dp,cp-sat",
    "verify lenet-c pla": "plan.json",
    "solve sfc --array tor": "torus-16",
    "solve sfc --certi": "--certificate",
    "solve sfc --objective pro": "product:",
    "solve sfc --objective product:ene": "product:energy",
    "solve sfc --objective=product:time,ene": "--objective=product:time,energy",
    "solve sfc --at-most tim": "time=",
    "solve lenet-c --fix conv1": "conv1=",
    "solve lenet-c --fix conv1=d... --fix fc2": "fc2=",
    "solve lenet-c --fix front.json#1:fc2": "front.json#1:fc2",
    "diff front.json#": "front.json#1",
    "show lenet-c --plan front.json#": "front.json#1",
}
"""By what is typed before the tab, what stands there behind it."""


@pytest.fixture
def folder(tmp_path):
    """A folder with an instance, a plan, and a folder whose names begin as nothing that is shipped does."""
    for name in ("vnet.yaml", "plan.json"):
        (tmp_path / name).touch()
    pareto_front(load("lenet-c", array="hypar-16")).save(tmp_path / "front.json")
    return tmp_path


@pytest.fixture
def completed(run, monkeypatch):
    """Return a function that answers what bash asks: the items for the last of the words, by lines."""

    def complete(*words):
        monkeypatch.setenv(VARIABLE, "bash_complete")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["hypar-opt", *map(str, words)]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        ran = run()
        assert (ran.code, ran.err) == (0, "")
        return ran.out.split()

    return complete


class Shell:
    """A shell on a terminal of its own, which is typed to."""

    def __init__(self, command, prelude, folder):
        settings = {"PATH": f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}", "TERM": "dumb", "PS1": PROMPT}
        self.asked = 0
        self._terminal, theirs = pty.openpty()
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env={**os.environ, **settings},
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._until_done(prelude)

    def completed(self, line):
        """Return what a line has become by a tab and a full stop, as the shell then takes it apart."""
        self._type(f"hypar-opt {line}\t.\x01echo ta''ken: ")
        return self._until_done("").partition("taken: hypar-opt ")[2].partition("\r")[0]

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def _type(self, text):
        os.write(self._terminal, text.encode())

    def _until_done(self, line):
        """End the line that was typed, type another; return all that is written until the next can be typed."""
        self.asked += 1
        self._type(f"\n{line or ':'}; echo do''ne {self.asked}\n")
        written, end = "", time.monotonic() + PATIENCE_S
        while PROMPT not in written.partition(f"done {self.asked}")[2]:
            assert time.monotonic() < end, written
            if select.select([self._terminal], [], [], 1)[0]:
                written += os.read(self._terminal, 4096).decode(errors="replace")
        return written


PRELUDES = {
    "bash": 'eval "$(hypar-opt completion bash)"',
    "zsh": 'bindkey -e; autoload -U compinit; compinit -u -D; eval "$(hypar-opt completion zsh)"',
}
STARTED = {"bash": ["bash", "--norc", "-i"], "zsh": ["zsh", "-f", "-i"]}


def _needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


EVERY = pytest.mark.parametrize(
    "every", [pytest.param(8, id="some"), pytest.param(1, marks=pytest.mark.slow, id="all")]
)
"""Of which every so many-th line is typed: a shell waits for a program to start, line by line."""


@EVERY
@pytest.mark.parametrize("shell", [pytest.param(name, marks=_needs(name)) for name in PRELUDES])
def test_a_tab_completes(shell, every, folder):
    cases = dict(list(CASES.items())[::every])
    typed = Shell(STARTED[shell], PRELUDES[shell], folder)
    try:
        found = {line: typed.completed(line) for line in cases}
    finally:
        typed.close()
    for line, word in cases.items():
        before, _, _ = line.rpartition(" ")
        assert found[line] == f"{before} {word}{'' if word[-1] in '=:' else ' '}."  # some words go on


@EVERY
@_needs("fish")
def test_fish_completes(every, folder):
    cases = dict(list(CASES.items())[::every])
    asked = "; ".join(f"echo (complete -C 'hypar-opt {line}')" for line in cases)
    environment = os.environ | {"PATH": f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}", "HOME": str(folder)}
    command = ["fish", "--no-config", "-c", f"hypar-opt completion fish | source; {asked}"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    for (line, word), found in zip(cases.items(), done.stdout.split("\n"), strict=False):
        assert word in found.split(), line


@pytest.mark.parametrize(
    ("shell", "line"), [("bash", "complete -o nosort"), ("zsh", "#compdef hypar-opt"), ("fish", "complete --no-files")]
)
def test_a_shell_is_given_its_script(run, monkeypatch, shell, line):
    printed = run("completion", shell)
    monkeypatch.setenv(VARIABLE, f"{shell}_source")
    asked = run()
    assert (printed.code, printed.err, asked.code, asked.err) == (0, "", 0, "")
    assert line in printed.out
    assert asked.out == printed.out


@pytest.mark.parametrize(
    ("shell", "line"), [("bash", "compopt -o nospace"), ("zsh", "-S '' -a open"), ("fish", 'string split -m 1 ","')]
)
def test_what_the_script_does_beyond_click_s_is_in_it(run, shell, line):
    assert line in run("completion", shell).out  # where click has rewritten its script, nothing would be replaced


def test_a_shell_that_is_not_known(run, monkeypatch):
    ran = run("completion", "tcsh")
    assert (ran.code, ran.out) == (2, "")
    assert "'bash', 'zsh', 'fish'" in ran.err
    monkeypatch.setenv(VARIABLE, "tcsh_source")
    assert (run().code, run().out) == (1, "")


def test_instances_are_names_and_files(completed):
    assert completed("solve", "lenet") == ["plain,lenet-c", "plain,lenet-c-h2", "file,lenet"]
    assert completed("pareto", "lenet") == ["plain,lenet-c", "file,lenet"]  # takes no strategy graph


def test_a_list_goes_on_with_what_is_not_in_it(completed):
    found = completed("compare", "sfc", "-f", "joint-dp,j")
    assert found == ["plain,joint-dp,joint-cp-sat", "plain,joint-dp,joint-enumeration"]


def test_bash_takes_an_equals_sign_for_a_word(completed):
    assert completed("solve", "sfc", "--array", "=", "mesh") == ["plain,mesh-16", "file,mesh"]


def test_layers_are_those_of_the_instance_before(completed, folder):
    fixed = ["plain,fc1=", "plain,fc2=", "file,fc"]
    assert completed("solve", "lenet-c", "--fix", "fc") == fixed
    assert completed("compare", "nosuch", "lenet-c", "--fix", "fc") == fixed
    assert completed("solve", "lenet-c", "--fix", "conv1", "=", "d...", "--fix", "fc") == fixed
    assert completed("solve", "lenet-c", "--fix", "=", "fc") == fixed
    for instance in ("nosuch", str(folder), str(folder / "plan.json")):
        assert completed("solve", instance, "--fix", "fc") == ["file,fc"]
    large = folder / "large.yaml"
    large.write_text(load("lenet-c").to_yaml(), encoding="utf-8")
    assert completed("solve", large, "--fix", "fc") == fixed
    large.write_text("#" * LARGEST + large.read_text(encoding="utf-8"), encoding="utf-8")
    assert completed("solve", large, "--fix", "fc") == ["file,fc"]


def test_blocks_that_are_decided_can_be_given(completed):
    chosen = ("solve", "gpt2-small", "--recompute", "choose", "--fix", "h.3")
    assert "plain,h.3:recompute=" in completed(*chosen)
    assert "plain,recompute=" in completed(*chosen, ":", "rec")  # bash has a word of its own behind a colon
    assert "plain,h.3:recompute=" not in completed("solve", "gpt2-small", "--fix", "h.3")


def test_layers_of_a_plan_are_those_of_its_file(completed, folder):
    solve(load("sfc")).save(folder / "best.json")
    for given in ("best.json", "front.json#1"):
        plan = str(folder / given)
        layers = [f"plain,fc{at}" for at in ((1, 2, 3, 4) if given == "best.json" else (1, 2))]
        assert completed("solve", "lenet-c", "--fix", plan, ":", "fc") == layers
        assert completed("solve", "lenet-c", "--fix", "conv1", "=", "d...", "--fix", plan, ":", "fc2") == ["plain,fc2"]
    assert completed("solve", "lenet-c", "--fix", folder / "front.json#") == [f"plain,{folder}/front.json#1"]
    for other in ("plan.json", "vnet.yaml", "nosuch", "front.json#9", "front.json", "a" * 300):
        assert not [one for one in completed("solve", "lenet-c", "--fix", folder / other, ":", "fc") if "plain" in one]


def test_points_of_a_front_say_what_they_cost(run, monkeypatch, folder):
    front = str(folder / "front.json")
    monkeypatch.setenv(VARIABLE, "zsh_complete")
    monkeypatch.setenv("COMP_CWORD", "2")
    monkeypatch.setenv("COMP_WORDS", f"hypar-opt diff {front}#")
    assert run().out.splitlines() == ["plain", f"{front}#1", "time 75.44 ms, energy 32.58 mJ"]
    for other in ("plan.json#", "nosuch#", "front.json#2", "a" * 300 + "#"):
        monkeypatch.setenv("COMP_WORDS", f"hypar-opt diff {folder / other}")
        ran = run()
        assert (ran.code, ran.err) == (0, "")
        assert f"{other}1" not in ran.out


def test_objectives_have_kinds_and_lists(completed):
    assert completed("solve", "sfc", "--objective", "lex") == ["plain,lexicographic:"]
    assert completed("solve", "sfc", "--objective", "lexicographic", ":", "time,ene") == ["plain,time,energy"]
    assert completed("solve", "sfc", "--objective", "time", "=", "1,time,ene") == ["plain,1,time,energy"]


def test_of_an_unknown_command_nothing_is_said(completed):
    assert completed("slove", "sfc", "--arr") == []


NAMED = {"instance", "instances", "array", "arrays", "formulation", "formulations", "components", "claims", "objective"}
"""Parameters that take names, wherever they stand."""


@pytest.mark.parametrize("name", SUMMARIES)
def test_whatever_takes_a_name_completes_it(name):
    with cli.make_context("hypar-opt", [name], resilient_parsing=True) as above:
        command = cli.get_command(above, name)
        context = command.make_context(name, [], above, resilient_parsing=True)
        for one in command.params:
            found = one.shell_complete(context, "")
            assert all(isinstance(item, CompletionItem) for item in found)
            assert found or one.name not in NAMED, one.name
            if str(one.type) == "Path":
                assert [item.type for item in found] == ["file"], one.name


ASK = f"""
import os, sys
os.environ.update({VARIABLE}="bash_complete", COMP_WORDS="hypar-opt solve sfc -f ", COMP_CWORD="4")
sys.argv = ["hypar-opt"]
from hypar_opt.cli import main
try:
    main()
except SystemExit:
    pass
print([name for name in {HEAVY!r} if name in sys.modules])
"""


def test_completing_imports_nothing_heavy():
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, timeout=600, check=True)
    *words, heavy = done.stdout.splitlines()
    assert "plain,joint-dp" in words
    assert heavy == "[]"


def test_all_shells_are_tried():
    assert {*PRELUDES, "fish"} == set(SHELLS)
