"""A script: what the package that is imported here offers, says and takes as a component, as JSON."""

from __future__ import annotations

import json
from typing import get_args

from hypar_opt.instance import instance_json_schema, load
from hypar_opt.instance.objective.components import COMPONENTS, COST_FIELDS
from hypar_opt.report.numbers import in_component
from hypar_opt.solver.plan_file import CostClaim
from hypar_opt.studies.claims.statements import Component, Proxy
from hypar_opt.util.errors import InputError
from hypar_opt.web.job_request import read_asked

NEW = "dram-bytes"


def refusal():
    try:
        load("lenet-c", objective=NEW)
    except InputError as error:
        return error.message
    return None


weights = instance_json_schema()["properties"]["objective"]["anyOf"][0]["properties"]
asked = read_asked({"shipped": "lenet-c", "overrides": {"objective": f"time,{NEW}=2"}})
print(
    json.dumps(
        {
            "components": list(COMPONENTS),
            "schema": list(weights),
            "claims": list(get_args(Component)),
            "taken": {
                "instance": load("lenet-c", array="hypar-16", objective=NEW).objective.spelt,
                "server": asked.overrides.objective,
                "claim": Proxy.model_validate({"of": NEW}).of,
            },
            "field": COST_FIELDS[NEW],
            "described": CostClaim.model_fields[COST_FIELDS[NEW]].description,
            "shown": in_component(NEW, 53_701_248),
            "needs": refusal(),
        }
    )
)
