"""What an instance's text comes to as one types: faults with their lines, and the values of the form's fields."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.formats import read_document
from hypar_opt.instance.objective.function import weights_of
from hypar_opt.report.collective.shown import instance_headline
from hypar_opt.report.pipeline_instance import pipeline_headline
from hypar_opt.report.tasks.shown import instance_headline as task_headline
from hypar_opt.solver.kinds import problem_of
from hypar_opt.util.errors import HyparError, InputError
from hypar_opt.web.form import TRUTHS, FormField, form_fields, spelt
from hypar_opt.web.job_request import RequestOverrides, receive
from hypar_opt.web.suited import suited
from hypar_opt.web.text_edit import with_field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.instance.tasks import TaskGraphInstance

MOST_LAYERS_SHOWN: Final = 300


def check_text(text: str, overrides: dict[str, Any], edit: dict[str, Any] | None) -> dict[str, Any]:
    """Read an instance, after setting one of its fields where that is wanted.

    Parameters
    ----------
    text
        A client's.
    overrides
        As in a job.
    edit
        `field` (a name of the form's, or `fix`) and its `value`.

    Returns
    -------
    The text, its fault or none, the values of the form's fields, and what the instance is and by what it can be solved.
    """
    with tempfile.TemporaryDirectory(prefix="hypar-opt-check-") as folder:
        path = Path(folder) / "instance.yaml"
        try:
            if edit is not None:
                text = _edited(path, text, edit)
            _put(path, text)
            values = _values(read_document(path).data)
        except InputError as error:
            return _faulty(text, error)
        try:
            instance = receive(path, RequestOverrides.model_validate(overrides))
            own = {name: one for name, one in overrides.items() if name != "fix"}  # what the text itself gives
            fix = (receive(path, RequestOverrides.model_validate(own)) if overrides.get("fix") else instance).fix
            about = {**ABOUT[problem_of(instance).kind](instance, fix), **suited(instance)}
        except HyparError as error:
            return _faulty(text, error, values)
    return {"text": text, "fault": None, "fields": values, "about": about}


def unchecked(text: str, why: str) -> dict[str, Any]:
    """Return what is said of a text that is not checked; why not stands where its fault would."""
    return _faulty(text, HyparError(why))


def _faulty(text: str, error: HyparError, values: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what is said of a text with a fault; the path of the file that it was put into is no part of that."""
    fault: dict[str, Any] = {"message": str(error), "line": None, "field": None}
    if isinstance(error, InputError):
        fault = {"message": str(InputError(error.message)), "line": error.line, "field": error.field}
    return {"text": text, "fault": fault, "fields": values, "about": None}


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="surrogatepass")


def _edited(path: Path, text: str, edit: dict[str, Any]) -> str:
    _put(path, text)
    read_document(path)  # bombs and bad syntax are refused here
    name, value = str(edit.get("field", "")), edit.get("value")
    if name == "fix" and isinstance(value, dict):
        return with_field(text, ("fix",), {str(layer): str(word) for layer, word in value.items() if word})
    field = next((one for one in form_fields() if one.name == name), None)
    if field is None:
        raise InputError("the form has no such field", field=name)
    return with_field(text, field.path, _entered(field, value))


def _entered(field: FormField, value: Any) -> Any:
    """Return what was entered as the file would have it; what does not fit is left to the reader to blame."""
    if value in ("", [], None):
        return None
    if field.kind == "integer":
        try:
            return int(str(value))
        except ValueError:
            return str(value)
    if field.kind == "truth":
        return TRUTHS.get(str(value), str(value))
    if field.kind == "objective":
        return weights_of(str(value))
    return list(map(str, value)) if isinstance(value, list) else str(value)


def _values(data: dict[str, Any]) -> dict[str, Any]:
    """Return what stands in the form's fields; None where the text says nothing."""
    return {field.name: _value(field, data) for field in form_fields()}


def _value(field: FormField, data: Any) -> Any:
    for key in field.path:
        data = data.get(key) if isinstance(data, dict) else None
    if field.kind == "objective":
        return _objective(data)
    if isinstance(data, list):
        mappings = any(isinstance(one, dict) for one in data)  # kinds of accelerators, which are edited as text
        return None if mappings else [str(one) for one in data]
    if isinstance(data, bool):
        return spelt(data)
    return None if data is None or isinstance(data, dict) else str(data)


def _objective(data: Any) -> str | None:
    if not isinstance(data, dict):
        return None
    if len(data) == 1 and isinstance(one := next(iter(data.values())), list | tuple):
        return f"{next(iter(data))}:{','.join(map(str, one))}"
    return ",".join(
        str(name) if weight == 1 else f"{name}={format(weight, 'f') if isinstance(weight, Decimal) else weight}"
        for name, weight in data.items()
    )


def _about_operators(instance: OperatorInstance, fix: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an instance of operators is; words are given as text, for there are many operators."""
    axes = instance.partition.axes
    return {
        "name": instance.name,
        "batch": instance.batch,
        "levels": instance.levels,
        "accelerators": instance.devices,
        "letters": "",
        "accounting": instance.accounting,
        "layers": len(instance.graph.operators),
        "fix": [],
        "axes": " x ".join(f"{axis.name} {axis.size}" for axis in axes),
    }


def _about_network(instance: Instance, fix: Mapping[str, str]) -> dict[str, Any]:
    names = instance.network.decision_names
    return {
        "name": instance.name,
        "batch": instance.batch,
        "levels": instance.levels,
        "accelerators": instance.partition.leaves,
        "letters": instance.choices,
        "accounting": instance.accounting,
        "layers": len(names),
        "fix": [[name, fix.get(name, "")] for name in names[:MOST_LAYERS_SHOWN]],
    }


def _about_pipeline(instance: PipelineInstance, _: Any) -> dict[str, Any]:
    """Return what a pipeline is; nothing of it can be given on the form."""
    return {
        "name": instance.name,
        "batch": instance.microbatches or 1,
        "levels": 0,
        "accelerators": instance.devices,
        "letters": "",
        "accounting": "",
        "layers": len(instance.operators),
        "fix": [],
        "axes": ", ".join(f"{kind.count} x {kind.name}" for kind in instance.kinds),
        "said": "; ".join(pipeline_headline(instance)),
        "as_text": True,
    }


def _about_collective(instance: CollectiveInstance, _: Any) -> dict[str, Any]:
    """Return what a collective is; nothing of it can be given on the form."""
    return {
        "name": instance.name,
        "batch": 1,
        "levels": 0,
        "accelerators": len(instance.machine.accelerators),
        "letters": "",
        "accounting": "",
        "layers": len(instance.chunks),
        "fix": [],
        "axes": instance.machine.topology,
        "said": "; ".join(instance_headline(instance)),
        "as_text": True,
    }


def _about_tasks(instance: TaskGraphInstance, _: Any) -> dict[str, Any]:
    """Return what a task graph is; nothing of it can be given on the form."""
    return {
        "name": instance.name,
        "batch": 1,
        "levels": 0,
        "accelerators": sum(instance.resources.values()),
        "letters": "",
        "accounting": "",
        "layers": len(instance.tasks),
        "fix": [],
        "axes": ", ".join(f"{units} x {name}" for name, units in instance.resources.items()),
        "said": "; ".join(task_headline(instance)),
        "as_text": True,
    }


ABOUT: Final[Mapping[str, Callable[[Any, Any], dict[str, Any]]]] = MappingProxyType(
    {
        "network": _about_network,
        "operators": _about_operators,
        "mixed": _about_network,
        "staged": _about_network,
        "precision": _about_network,
        "pipeline": _about_pipeline,
        "collective": _about_collective,
        "packing": _about_collective,
        "task-graph": _about_tasks,
    }
)
"""By kind of problem, what its instance is."""
