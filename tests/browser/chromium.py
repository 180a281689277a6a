"""Debian's chromium for the tests: found, or installed where that is allowed; `python -m tests.browser.chromium`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = (
    "there is no chromium here, and without one no page is tested; as root on Debian this command installs it, "
    "elsewhere install it by hand (apt-get install chromium)"
)


def chromium() -> str | None:
    """Return the browser's path, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def install() -> str | None:
    """Install the browser with apt, where that may be; return its path, or None."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        quiet = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
        subprocess.run([*quiet, "update"], check=False, env=environment)
        subprocess.run(
            [*quiet, "install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
            check=False, env=environment, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    return chromium()


if __name__ == "__main__":
    found = chromium() or install()
    if found is None:
        sys.exit(f"error: {MISSING}")
    print(f"browser: {found}")
