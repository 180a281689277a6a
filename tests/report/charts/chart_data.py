"""What a chart's specification holds as data."""

import json


def sets_of(spec):
    """Return all rows of every data set in a specification, each set once."""
    found = dict(spec.get("datasets", {}))

    def collect(view, at=""):
        if isinstance(view, dict):
            if "values" in view.get("data", {}):
                found[json.dumps(view["data"]["values"])] = view["data"]["values"]
            for name, one in view.items():
                if name not in ("data", "datasets"):
                    collect(one)
        elif isinstance(view, list):
            for one in view:
                collect(one)

    collect(spec)
    return list(found.values())


def drawn(figure, key):
    """Return the rows that have a field."""
    return [row for rows in sets_of(figure.spec) for row in rows if key in row]


def without_data(spec):
    """Return the rest of a specification as JSON, and without its text alternative."""
    if isinstance(spec, dict):
        return {name: without_data(one) for name, one in spec.items() if name not in ("datasets", "values")}
    return [without_data(one) for one in spec] if isinstance(spec, list) else spec


def rest_of(figure):
    """Return a figure's specification without data and text alternative, as JSON."""
    return json.dumps({name: one for name, one in without_data(figure.spec).items() if name != "description"})
