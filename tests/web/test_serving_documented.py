"""The session with curl in the documentation, against a real server."""

import json
import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.web.conftest import LENET, without_vega
from tests.web.server import running

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"
TOKEN = "Yb3..."


def documented():
    """Return the commands that ask the server, continued lines in one."""
    text = PAGE.read_text().replace("\\\n", " ")
    return re.findall(r"^ *\$ (curl .*)$", text, re.MULTILINE)


@pytest.mark.slow
def test_the_session_goes_as_it_is_written(tmp_path):
    commands = documented()
    assert len(commands) == 5
    (tmp_path / "my-network.yaml").write_text(LENET)
    path = f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"
    token, said = TOKEN, []
    with running(without_vega(tmp_path / "state")) as server:
        for command in commands:
            asked = command.replace("localhost:8787", server.url.removeprefix("http://")).replace(TOKEN, token)
            ran = subprocess.run(
                ["bash", "-euc", asked], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True,
                timeout=600, check=True,
            )  # fmt: skip
            said.append(ran.stdout)
            token = json.loads(ran.stdout)["id"] if token == TOKEN else token
    submitted, events, job, checked, uploaded = said
    assert json.loads(submitted)["label"] == "lenet-c"
    lines = [json.loads(line) for line in events.splitlines()]
    assert 17603040 in [line.get("value") for line in lines]
    assert (lines[-1]["event"], lines[-1]["state"]) == ("end", "done")
    assert json.loads(job)["outcome"]["certificate"]["proven"]
    assert checked.startswith("proven: lenet-c")
    assert json.loads(uploaded)["label"] == "my-network.yaml"
