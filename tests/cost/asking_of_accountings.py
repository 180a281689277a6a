"""A script: what the package that is imported here offers and takes as an accounting, as JSON."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from starlette.testclient import TestClient

from hypar_opt.cli.compare_arrays_command import command as compare_arrays
from hypar_opt.cli.solve_command import command as solve
from hypar_opt.instance import instance_json_schema, load
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.studies.claims.replacements import OverridesSpec
from hypar_opt.web.app import application
from hypar_opt.web.form import form_fields
from hypar_opt.web.guard import Address
from hypar_opt.web.job_request import read_asked
from hypar_opt.web.settings import Settings

NEW = "sender"


def options(command):
    return list(next(one.type.choices for one in command.params if one.name == "accounting"))


def offered(page):
    """Return the options of the page's list."""
    listed = re.search(r'<select id="o-accounting".*?</select>', page, re.DOTALL)
    return re.findall(r"<option>([^<]+)</option>", listed[0])


with tempfile.TemporaryDirectory() as folder:
    address = Address("127.0.0.1", 8000)
    with TestClient(application(Settings(Path(folder)), address), base_url="http://127.0.0.1:8000") as client:
        page = client.get("/").text
print(
    json.dumps(
        {
            "accountings": list(ACCOUNTINGS),
            "options": options(solve),
            "compare-arrays": options(compare_arrays),
            "schema": instance_json_schema()["$defs"]["CostSpec"]["properties"]["accounting"]["enum"],
            "form": next(one.options for one in form_fields() if one.name == "cost.accounting"),
            "page": offered(page),
            "taken": {
                "instance": load("lenet-c", accounting=NEW).accounting,
                "server": read_asked({"shipped": "lenet-c", "overrides": {"accounting": NEW}}).overrides.accounting,
                "claim": OverridesSpec(accounting=NEW).accounting,
            },
        }
    )
)
