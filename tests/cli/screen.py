"""A program on a terminal of its own, and what a terminal makes of what it writes."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sysconfig
import termios
import time
from pathlib import Path

PROGRAM = Path(sysconfig.get_path("scripts")) / "hypar-opt"
PATIENCE_S = 600
SETTINGS = ("TERM", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_INTERACTIVE", "TTY_COMPATIBLE")
TOKEN = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|(.)", re.DOTALL)


class Screen:
    """The few things that a terminal does for those who draw a picture at its bottom; anything else is an error."""

    def __init__(self, columns):
        self.columns, self.lines, self.row, self.column = columns, [""], 0, 0
        self.cursor_shown, self.widest = True, 0

    def feed(self, text):
        for parameters, code, character in TOKEN.findall(text):
            if code:
                self._control(parameters, code)
            elif character == "\r":
                self.column = 0
            elif character == "\n":
                self._down()
            else:
                assert character.isprintable(), f"{character!r} reached the terminal"
                self._put(character)
        return self

    def _put(self, character):
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[: self.column] + character + line[self.column + 1 :]
        self.column += 1
        self.widest = max(self.widest, self.column)

    def _down(self):
        self.row, self.column = self.row + 1, 0
        if self.row == len(self.lines):
            self.lines.append("")

    def _control(self, parameters, code):
        if code == "A":
            self.row = max(0, self.row - int(parameters or 1))
        elif (code, parameters) == ("K", "2"):
            self.lines[self.row] = ""
        elif (code, parameters) in (("h", "?25"), ("l", "?25")):
            self.cursor_shown = code == "h"
        else:
            assert code == "m", f"ESC[{parameters}{code} is none of what is drawn with"

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.lines).strip("\n")


class OnTerminal:
    """The program with a terminal for its standard error, and a pipe for its output.

    `settings` are what its environment says of the terminal.
    """

    def __init__(self, arguments, env, columns, settings):
        self._ours, theirs = pty.openpty()
        self.columns, self._name = columns, os.ttyname(theirs)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        others = {key: value for key, value in env.items() if key not in SETTINGS}
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
            env={**others, "TERM": "xterm", **settings},
        )  # fmt: skip
        os.close(theirs)
        self.written = ""

    def read_until(self, *wanted):
        """Read until a picture has all of these; return that picture, or fail with what there was."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if not self._read():
                break
            for picture in self.pictures():
                if all(one in picture for one in wanted):
                    return picture
        raise AssertionError(f"no {wanted} in {self.written!r}")

    def pictures(self):
        """Return every picture that was drawn, without colours: what stands between two erasures."""
        plain = re.sub(r"\x1b\[[0-9;]*m", "", self.written)
        return [part.replace("\r", "") for part in re.split(r"(?:\r?\x1b\[2K(?:\x1b\[1A)?)+", plain)]

    def pause(self):
        """Take no more text, as a terminal does after Ctrl-S."""
        theirs = os.open(self._name, os.O_RDWR | os.O_NOCTTY)
        termios.tcflow(theirs, termios.TCOOFF)
        os.close(theirs)

    def end(self, *signals):
        """Send signals, read all, and return the exit code, the standard output and the screen."""
        for number in signals:
            self.process.send_signal(number)
        end = time.monotonic() + PATIENCE_S
        while self._read():
            assert time.monotonic() < end, f"it does not end: {self.written[-500:]!r}"
        out, _ = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out.decode(), Screen(self.columns).feed(self.written)

    def _read(self):
        if not select.select([self._ours], [], [], PATIENCE_S)[0]:
            return False
        try:
            chunk = os.read(self._ours, 4096)
        except OSError:  # Linux, where the other side is closed
            return False
        self.written += chunk.decode(errors="replace")
        return bool(chunk)

    def close(self):
        self.process.kill()
        self.process.communicate()
        os.close(self._ours)
