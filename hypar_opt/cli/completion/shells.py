"""The shells, and the script of each: click's, where it mixes names and files and takes lists with commas."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from hypar_opt.cli.completion import PROGRAM, VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem

BREAKS: Final = "=:"
"""What bash takes for words of their own."""
_BASH = """\
%(complete_func)s() {
    local response completion type value files
    mapfile -t response < <(IFS=$'\\n'; env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \
%(complete_var)s=bash_complete "$1")
    COMPREPLY=()
    for completion in "${response[@]}"; do
        IFS=, read -r type value <<< "$completion"
        if [[ $type == plain ]]; then
            COMPREPLY+=("$value")
            [[ $value == *[=:] ]] && compopt -o nospace
        elif [[ $type == file || $type == dir ]]; then
            files=${#COMPREPLY[@]}
            mapfile -t -O $files COMPREPLY < <(compgen -A ${type/#dir/directory} -- "$2")
            (( ${#COMPREPLY[@]} > files )) && compopt -o filenames
        fi
    done
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


_OPEN = """\
    local -a open=("${(@M)completions:#*[=:]}")
    completions=("${(@)completions:#*[=:]}")
    if (( $#open )); then
        compadd -U -V unsorted -S '' -a open
    fi

    if [ -n "$completions" ]; then
        compadd"""
"""Of zsh: no space behind words that go on."""


def _joined(words: list[str]) -> list[str]:
    """Return words whole that bash took for several."""
    found: list[str] = []
    for word in words:
        if found and (word in BREAKS or found[-1].endswith(tuple(BREAKS))):
            found[-1] += word
        else:
            found.append(word)
    return found


class Bash(BashComplete):
    """Names and files side by side; words with `=` or `:` in them, which bash takes for three."""

    source_template = _BASH
    before = ""
    """What stands before the part that bash completes."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and what there is of that."""
        words, typed = super().get_completion_args()
        words = _joined(words)
        if typed:
            *words, typed = _joined([*words, typed])
        option, equals, value = typed.partition("=")
        value = value if equals and option.startswith("--") else typed
        self.before = value.removesuffix(re.split(f"[{BREAKS}]", value)[-1])
        return words, typed

    def format_completion(self, item: CompletionItem) -> str:
        """Return a word as the script reads it, without what bash takes for a word of its own."""
        return f"{item.type},{item.value.removeprefix(self.before)}"


class OfWholeWords(ShellComplete):
    """Completes `--option=word` in a shell that takes it for one word, and replaces all of it."""

    before = ""
    """The option, and what joins its value to it."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and what there is of that."""
        words, typed = super().get_completion_args()
        option, equals, _ = typed.partition("=")
        self.before = f"{option}=" if equals and option.startswith("--") else ""
        return words, typed

    def format_completion(self, item: CompletionItem) -> str:
        """Return a word as the script reads it, with the option."""
        item.value = f"{self.before}{item.value}"
        return super().format_completion(item)


class Zsh(OfWholeWords, ZshComplete):
    """No space behind words that go on: a bound's component, a layer that is given its strategy."""

    source_template = ZshComplete.source_template.replace('    if [ -n "$completions" ]; then\n        compadd', _OPEN)


class Fish(OfWholeWords, FishComplete):
    """Words with commas in them stay whole."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


SHELLS: Final[Mapping[str, type[ShellComplete]]] = MappingProxyType({"bash": Bash, "zsh": Zsh, "fish": Fish})
"""By name."""


def script(cli: click.Command, shell: str) -> str:
    """Return what a shell has to read to complete the program's words."""
    return SHELLS[shell](cli, {}, PROGRAM, VARIABLE).source()


def answer(cli: click.Command, asked: str) -> int:
    """Print what a shell asked for by its variable, `bash_source` or `bash_complete`; return the exit code."""
    shell, _, what = asked.partition("_")
    if shell not in SHELLS or what not in ("source", "complete"):
        return 1
    text = script(cli, shell) if what == "source" else SHELLS[shell](cli, {}, PROGRAM, VARIABLE).complete() + "\n"
    click.echo(text, nl=False)
    return 0
