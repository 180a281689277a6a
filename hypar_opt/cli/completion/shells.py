"""The shells, and the script of each: click's, where it mixes names and files and takes lists with commas."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from hypar_opt.cli.completion import PROGRAM, VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

_BASH = """\
%(complete_func)s() {
    local response completion type value
    mapfile -t response < <(IFS=$'\\n'; env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \
%(complete_var)s=bash_complete "$1")
    COMPREPLY=()
    for completion in "${response[@]}"; do
        IFS=, read -r type value <<< "$completion"
        if [[ $type == plain ]]; then
            COMPREPLY+=("$value")
        elif [[ $type == file || $type == dir ]]; then
            compopt -o filenames
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -A ${type/#dir/directory} -- "$2")
        fi
    done
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class Bash(BashComplete):
    """Names and files side by side; `--option=word`, which bash takes for three words."""

    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and what there is of that."""
        words, typed = super().get_completion_args()
        return words[:-1] if words[-1:] == ["="] else words, typed


class Fish(FishComplete):
    """Words with commas in them stay whole."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


SHELLS: Final[Mapping[str, type[ShellComplete]]] = MappingProxyType({"bash": Bash, "zsh": ZshComplete, "fish": Fish})
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
