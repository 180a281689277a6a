"""A page's blocks, run in order in one folder and one namespace."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

from tests.docs import data, shell
from tests.docs.blocks import ROOT, Block, blocks_of
from tests.docs.comparing import difference

LINKED = ("instances", ".venv", "tests", "pyproject.toml")
"""What a command in a checkout finds beside it."""


class Page:
    """A folder, a namespace, and the blocks that have used them so far."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.names = folder, {"__name__": "__docs__"}
        self.environment: dict[str, str] = {}
        for name in LINKED:
            (folder / name).symlink_to(ROOT / name)

    def run(self, block: Block) -> None:
        """Run a block; an AssertionError says what is wrong and where."""
        try:
            if block.title:
                self._write(block)
            KINDS[block.language](self, block)
        except Exception as error:
            raise AssertionError(f"{block.where}: {type(error).__name__}: {error}") from error

    def _write(self, block: Block) -> None:
        inside = block.title.startswith(("hypar_opt/", "formulations/"))
        path = (self._copied() if inside else self.folder) / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.body, encoding="utf-8")

    def commands(self, block: Block) -> None:
        """Run an `sh` block."""
        for one in shell.commands(_smaller(block)):
            self._command(one, block)

    def session(self, block: Block) -> None:
        """Run a `console` block and compare what is printed."""
        for one in shell.session(_smaller(block)):
            found = difference(one.output, self._command(one, block))
            assert found is None, f"`{one.command}` prints something else:\n{found}"

    def _command(self, shown: shell.Shown, block: Block) -> str:
        if shown.command.startswith("pip install ./"):
            self._install(shown.command.removeprefix("pip install ./"))
            return ""
        ran = shell.run(shown.command, self.folder, self.environment)
        wanted = int(block.notes.get("exit", "0"))
        assert ran.code == wanted, f"`{shown.command}` ended with {ran.code}, not {wanted}:\n{ran.out}{ran.err}"
        return ran.out + (ran.err if wanted else "")

    def python(self, block: Block) -> None:
        """Run Python; what it prints is nobody's business."""
        if block.title:  # a module: whoever uses it imports it
            compile(block.body, block.where, "exec")
            return
        code = compile("\n" * block.line + _smaller(block), str(block.page), "exec")
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(io.StringIO()):
            exec(code, self.names)

    def doctest(self, block: Block) -> None:
        """Run Python of which the output is shown."""
        test = doctest.DocTestParser().get_doctest(block.body, self.names, block.where, str(block.page), block.line)
        out = io.StringIO()
        with contextlib.chdir(self.folder):
            failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=out.write, clear_globs=False)
        self.names = test.globs
        assert not failed.failed, out.getvalue()

    def yaml(self, block: Block) -> None:
        """Read YAML as a user's; what is for changed packages is read by the commands that use it."""
        if block.title and "PYTHONPATH" in self.environment:
            return
        data.check_yaml(block.body, self.folder)

    def json(self, block: Block) -> None:
        """Parse JSON."""
        data.check_json(block.body, self.folder, block.notes.get("like", ""))

    def file(self, block: Block) -> None:
        """Leave a file to the blocks that use it."""
        assert block.title, f'a block of {block.language} is a file: give it title="NAME"'

    def text(self, block: Block) -> None:
        """Accept what is no code."""
        signs = [sign for sign in ("hypar-opt ", "$ ", "import ", "make ") if sign in block.body]
        assert not signs, f"a text block that looks like code ({signs[0].strip()}); what language is it?"

    def patch(self, block: Block) -> None:
        """Apply a change to a copy of the packages, which the commands below use."""
        done = subprocess.run(
            ["git", "apply", "-"], cwd=self._copied(), input=block.body, text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, f"the change does not apply:\n{done.stdout}{done.stderr}"

    def _copied(self) -> Path:
        """Return a copy of the packages, from which the commands import from now on."""
        copy = self.folder / "copy"
        if not copy.exists():
            for name in ("hypar_opt", "formulations"):
                shutil.copytree(ROOT / name, copy / name)  # with byte code: a file that is changed is another's no more
            (copy / "instances").symlink_to(ROOT / "instances")
            self._import_from(copy)
        return copy

    def _install(self, name: str) -> None:
        """Do what pip does with a package of one module: put it where it is imported, with its entry points."""
        project = tomllib.loads((self.folder / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        site = self.folder / "site-packages"
        information = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        information.mkdir(parents=True)
        for module in (self.folder / name).glob("*.py"):
            shutil.copy(module, site)
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (information / "METADATA").write_text(head, encoding="utf-8")
        groups = (
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
            for group, points in project["entry-points"].items()
        )
        (information / "entry_points.txt").write_text("".join(groups), encoding="utf-8")
        self._import_from(site)

    def _import_from(self, folder: Path) -> None:
        paths = [str(folder), *filter(None, [self.environment.get("PYTHONPATH")])]
        self.environment["PYTHONPATH"] = os.pathsep.join(paths)


KINDS = {
    "console": Page.session, "sh": Page.commands, "python": Page.python, "pycon": Page.doctest, "yaml": Page.yaml,
    "json": Page.json, "toml": Page.file, "xml": Page.file, "csv": Page.file, "diff": Page.patch, "text": Page.text,
}  # fmt: skip
"""By the language of the fence."""


def run_page(page: Path, folder: Path, *, slow: bool, text: str | None = None) -> list[Block]:
    """Run the blocks of a page in order; return those that were left out as slow."""
    state, left_out = Page(folder), []
    for block in blocks_of(page, text):
        if "slow" in block.notes and not slow:
            left_out.append(block)
        elif "not run" not in block.notes:
            assert block.language in KINDS, f"{block.where}: expected a fence of {', '.join(KINDS)}"
            state.run(block)
    return left_out


def _smaller(block: Block) -> str:
    """Return a block with smaller numbers, where it has a note of them."""
    body = block.body
    for pair in filter(None, block.notes.get("smaller", "").split("; ")):
        large, _, small = pair.partition(" => ")
        assert small and large in body, f"nothing to make smaller: {pair}"
        body = body.replace(large, small)
    return body
