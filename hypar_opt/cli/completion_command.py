"""hypar-opt completion."""

from __future__ import annotations

import click

from hypar_opt.cli.completion.shells import SHELLS, script
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.group import cli

EPILOG = epilog(
    'eval "$(hypar-opt completion bash)"      # for this shell; in ~/.bashrc for all',
    "hypar-opt completion bash > ~/.local/share/bash-completion/completions/hypar-opt",
    "hypar-opt completion zsh > ~/.zfunc/_hypar-opt",
    "hypar-opt completion fish > ~/.config/fish/completions/hypar-opt.fish",
    codes={0: "printed", 2: BAD_INPUT},
)


@click.command("completion", epilog=EPILOG)
@click.argument("shell", type=click.Choice(list(SHELLS)))
def command(shell: str) -> None:
    """Print the script by which SHELL completes commands, options, names and files of this program.

    bash (4.4 or newer) reads it from ~/.bashrc, or where bash-completion looks for it. zsh finds it in a folder of
    its fpath, if that is set before compinit is called (fpath+=~/.zfunc; autoload -U compinit; compinit), fish in its
    own folder. The script asks the program: it needs no renewal with a new version.
    """
    click.echo(script(cli, shell), nl=False)
