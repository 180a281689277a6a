"""A training step of modules of PyTorch, by an exported plan or whole. Needs PyTorch."""

from __future__ import annotations

import importlib.util
from functools import partial
from math import prod
from typing import Any

from hypar_opt.count.torch.modules import computed, seen
from hypar_opt.count.torch.recorder import LABEL, CollectiveRecorder, mark


class TrainingStep:
    """A training step of a job's operators.

    Parameters
    ----------
    job
        What `job.py` writes.
    recorder
        Is told which conversion is under way.
    """

    def __init__(self, job: dict[str, Any], recorder: CollectiveRecorder) -> None:
        import torch

        self.job, self.recorder = job, recorder
        self.dtype = torch.float64 if job["runs"] else torch.float32
        self.names: dict[int, str] = {}
        self.current = 0
        self.local: dict[str, Any] = {}
        self.inputs = {name: self._input(one) for name, one in job["inputs"].items()}
        self.modules = {one["name"]: self._module(one) for one in job["operators"]}
        self.constant: Any = lambda tensor: tensor

    def _input(self, one: dict[str, Any]) -> Any:
        import torch

        if one["below"] is None:
            return torch.rand(one["sizes"], dtype=self.dtype) - 0.5
        return torch.randint(one["below"], one["sizes"])

    def _module(self, operator: dict[str, Any]) -> Any:
        import torch

        step = self

        class Module(torch.nn.Module):  # type: ignore[misc]
            def forward(self, *inputs: Any) -> Any:
                viewed = [seen(x, views) for x, views in zip(inputs, operator["views"], strict=True)]
                parameters = {one: getattr(self, one) for one in operator["parameters"]}
                fields = operator["fields"] | {"constant": step.constant, "summed": _summed}
                return computed(operator["kind"], fields, viewed, parameters)

        module = Module()
        for name, sizes in operator["parameters"].items():
            scale = prod(sizes[1:]) ** -0.5 if len(sizes) > 1 else 1.0
            values = torch.rand(sizes, dtype=self.dtype) - (0.5 if len(sizes) > 1 else -0.5)
            module.register_parameter(name, torch.nn.Parameter(values * scale))
        return module

    def distribute(self) -> None:
        """Apply the plan to the modules, with all that it converts noted."""
        import torch
        from torch.distributed.tensor import DTensor, Replicate, distribute_tensor
        from torch.utils._python_dispatch import _disable_current_modes

        plan = _module_of(self.job["plan"])
        plan.distribute_tensor = partial(distribute_tensor, src_data_rank=None)  # all have the same: nothing is sent
        plan._placed = partial(self._placed, plan._placed)
        with _disable_current_modes():  # ids of devices have numbers
            mesh = plan.device_mesh("cpu")
        whole = [Replicate()] * mesh.ndim
        self.constant = lambda tensor: DTensor.from_local(tensor, mesh, whole, run_check=False)
        model = torch.nn.Module()
        model.named_modules = self.modules.items  # names have dots, and are not of modules in modules
        plan.apply_plan(model, mesh)
        self.local = {name: one["local"] for name, one in plan.PLAN.items()}

    def _placed(self, placed: Any, tensor: Any, placements: Any, mesh: Any, **more: Any) -> Any:
        """Place a tensor as the plan's file does, and note which conversion that is, forward and backward."""
        operator = self.job["operators"][self.current]
        name, reader = self.names.get(id(tensor), ""), operator["name"]
        if not name:
            name, reader = operator["output"], operator["read_by"]
            if tensor.requires_grad:
                if self.local[operator["name"]]:
                    tensor.grad_fn.metadata[LABEL] = f"{name}/backward/{reader}"
                    mark(tensor.grad_fn.next_functions[0][0], f"{operator['name']}/within/backward")
                mark(tensor.grad_fn, f"{operator['name']}/within/backward")
        with self.recorder.labelled(f"{name}/forward/{reader}"):
            found = placed(tensor, placements, mesh, **more)
        if found.requires_grad and found.grad_fn is not None:
            mark(found.grad_fn, f"{name}/backward/{reader}")
        return found

    def train(self) -> tuple[Any, dict[str, Any]]:
        """Return the outputs and, by parameter, the gradient as an optimiser needs it: like the parameter."""
        import torch

        values, ends = dict(self.inputs), []
        kept = list(values.values())  # so that no other tensor gets the name of one that is gone
        self.names = {id(tensor): name for name, tensor in values.items()}
        for number, operator in enumerate(self.job["operators"]):
            self.current = number
            with self.recorder.labelled(f"{operator['name']}/within/forward"):
                found = self.modules[operator["name"]](*(values[name] for name in operator["inputs"]))
            values[operator["output"]] = found
            self.names[id(found)] = operator["output"]
            kept.append(found)
            if operator["is_end"]:
                ends.append(found)
        losses = [_loss_of(one) for one in ends]
        with self.recorder.labelled("/loss/backward"):
            torch.autograd.backward(ends, [_slope_of(one) for one in ends])
        return losses, self._gradients()

    def _gradients(self) -> dict[str, Any]:
        found = {}
        for operator in self.job["operators"]:
            for name, tensor in operator["names"].items():
                parameter = getattr(self.modules[operator["name"]], name)
                gradient = parameter.grad
                if gradient is None:
                    raise ValueError(f"no gradient of '{tensor}' comes of DTensor's rules")
                if hasattr(parameter, "placements"):
                    with self.recorder.labelled(f"{tensor}/update/{operator['name']}"):
                        gradient = gradient.redistribute(placements=parameter.placements)
                found[tensor] = gradient
        return found


def _summed(tensor: Any) -> Any:
    """Return a tensor whose partial sums, if it is of several devices, are added up; so are those of its gradient."""
    from torch.distributed.tensor import DTensor, Replicate

    placements = getattr(tensor, "placements", ())
    if not any(one.is_partial() for one in placements):
        return tensor
    whole = tensor.redistribute(placements=[Replicate() if one.is_partial() else one for one in placements])
    # by way of the devices' own tensors, since a gradient in partial sums would go on as it is
    return DTensor.from_local(
        whole.to_local(), whole.device_mesh, whole.placements, run_check=False, shape=whole.shape, stride=whole.stride()
    )


def _loss_of(end: Any) -> Any:
    return end.detach().square().sum() / 2


def _slope_of(end: Any) -> Any:
    return end.detach()


def _module_of(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("plan", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
