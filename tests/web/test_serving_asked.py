"""What can be wrong with what a client asks for: each message in full."""

import pytest

WRONG = [
    ([], None, "expected a mapping, got []"),
    (dict.fromkeys(map(str, range(101))), None, "expected at most 100 entries, got 101"),
    ({"shipped": "sfc", "formulations": [{}] * 1000}, "formulations", "expected at most 100 entries, got 1,000"),
    ({}, "instance", "expected either the text of an instance or the name of a shipped one"),
    ({"instance": "x", "shipped": "sfc"}, "instance",
     "expected either the text of an instance or the name of a shipped one"),
    ({"instance": 1}, "instance", "expected text, got 1"),
    ({"shipped": "lenet"}, "shipped", "no shipped instance is called 'lenet'; did you mean 'lenet-c'?"),
    ({"shipped": "../hypar/lenet-c.yaml"}, "shipped",
     "no shipped instance is called '../hypar/lenet-c.yaml'"),
    ({"shipped": "sfc", "formulations": ["joint"]}, "formulations[0]",
     "no formulation is called 'joint'; did you mean 'joint-dp'?"),
    ({"shipped": "sfc", "formulations": "cp-sat"}, "formulations", "expected a list, got 'cp-sat'"),
    ({"shipped": "sfc", "formulations": ["cp-sat"] * 21}, "formulations",
     "expected a list of at most 20, got a list of 21"),
    ({"shipped": "sfc", "overrides": {"array": "/etc/passwd"}}, "overrides.array",
     "no shipped array is called '/etc/passwd'"),
    ({"shipped": "sfc", "overrides": {"array": "torus"}}, "overrides.array",
     "no shipped array is called 'torus'; did you mean 'torus-16'?"),
    ({"shipped": "sfc", "overrides": {"level": 3}}, "overrides.level", "unknown field 'level'; did you mean 'levels'?"),
    ({"shipped": "sfc", "overrides": {"levels": "3"}}, "overrides.levels", "expected an integer, got '3'"),
    ({"shipped": "sfc", "overrides": {"input_error": "no"}}, "overrides.input_error",
     "expected true or false, got 'no'"),
    ({"shipped": "sfc", "overrides": {"fix": {"fc1": 3}}}, "overrides.fix.fc1", "expected text, got 3"),
    ({"shipped": "sfc", "overrides": {"fix": {str(one): 3 for one in range(101)}}}, "overrides.fix",
     "expected at most 100 entries, got 101"),
    ({"shipped": "sfc", "limits": {"seed": -1}}, "limits.seed", "expected an integer of at least 0, got -1"),
    ({"shipped": "sfc", "limits": {"workers": 65}}, "limits.workers", "expected an integer of at most 64, got 65"),
    ({"shipped": "sfc", "limits": {"time_s": 0}}, "limits.time_s", "expected a number above 0, got 0"),
    ({"shipped": "sfc", "report": "yes"}, "report", "expected true or false, got 'yes'"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "field", "message"), WRONG)
def test_what_is_wrong_is_said(client, asked, field, message):
    answer = client.post("/api/jobs", json=asked)
    assert answer.status_code == 400
    assert answer.json() == {"error": message, "field": field}
    assert client.get("/api/jobs").json() == []
