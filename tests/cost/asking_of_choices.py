"""A script: what the package that is imported here offers, says and takes as a choice, as JSON."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from starlette.testclient import TestClient

from hypar_opt.cli.campaign_command import command as campaign
from hypar_opt.cli.solve_command import command as solve_command
from hypar_opt.instance import instance_json_schema
from hypar_opt.instance.choices import ANYWHERE, CHOICES
from hypar_opt.instance.instance import Instance
from hypar_opt.report.charts.plan_cells import MEANINGS, plan_colour
from hypar_opt.report.grid import STYLES
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.web.app import application
from hypar_opt.web.form import form_fields
from hypar_opt.web.guard import Address
from hypar_opt.web.settings import Settings

NEW = "twice"


def instance(names, accounting="published", fix=None):
    """Return a network that has layers of every role."""
    convolution = {"filters": 4, "kernel": 3, "pad": 1}
    layers = [
        {"name": "conv1", "conv": convolution},
        {"name": "conv2", "conv": {**convolution, "groups": 4}},
        {"name": "add", "add": {}, "inputs": ["conv1", "conv2"]},
        {"name": "fc", "linear": {"features": 4}},
    ]
    return Instance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "further",
            "batch": 4,
            "network": {"input": [4, 4, 4], "layers": [*layers[:3], {"name": "flat", "flatten": {}}, layers[3]]},
            "array": {"topology": "h-tree", "levels": 1},
            "cost": {"accounting": accounting, "choices": names},
            "fix": fix or {},
        }
    )


def refusal(*given):
    try:
        instance(*given)
    except InputError as error:
        return error.message
    return None


def offered(page):
    """Return the boxes of the page's list."""
    boxes = re.search(r'data-field="cost.choices".*?</fieldset>', page, re.DOTALL)[0]
    return re.findall(r'value="([^"]+)"', boxes)


with tempfile.TemporaryDirectory() as folder:
    address = Address("127.0.0.1", 8000)
    with TestClient(application(Settings(Path(folder)), address), base_url="http://127.0.0.1:8000") as client:
        page = client.get("/").text
schema = instance_json_schema()
fields = schema["$defs"]["CostSpec"]["properties"]
every = "".join(one.letter for one in CHOICES.values())
known = list(ANYWHERE)
scale = plan_colour("k", every).to_dict()["scale"]
unjudged = solve(instance(known, fix={"conv2": CHOICES[NEW].letter}), "joint-dp")
print(
    json.dumps(
        {
            "choices": list(CHOICES),
            "schema": fields["choices"]["items"]["enum"],
            "form": next(one.options for one in form_fields() if one.name == "cost.choices"),
            "page": offered(page),
            "campaign": list(next(one.type.choices for one in campaign.params if one.name == "choices")),
            "field": fields["choices"]["description"],
            "fix": schema["properties"]["fix"]["description"],
            "help": " ".join(solve_command.help.split()),
            "colours": dict(zip(scale["domain"], scale["range"], strict=True)),
            "meaning": MEANINGS[CHOICES[NEW].letter],
            "style": STYLES[CHOICES[NEW].letter],
            "alphabets": {one.name: one.words.alphabet for one in NetworkProblem(instance(known)).base.variables},
            "refused": refusal(["dp", NEW], "as-evaluated"),
            "unjudged": [unjudged.status.value, unjudged.native_status],
        }
    )
)
