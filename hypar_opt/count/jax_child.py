"""Compiles exported programs in a process of its own, and runs them beside the same steps on one device.

Run as a file, by the path of a JSON file with a list of jobs, each a program's path and that of the step on one device
or '', and by the path of what is written: JSON with, for each, the text of the optimised module, and of each parameter
by how much its gradient is off. It needs JAX and nothing else.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

LEAST = 1e-3
"""What a gradient is compared with at least, in parts of the largest of all: some are nothing but what is rounded."""

MOST_BYTES = 2**34
"""How much memory the process may take."""


def main(jobs: str, output: str) -> None:
    """Do all jobs."""
    _bound_memory()
    found = [_done(*job) for job in json.loads(Path(jobs).read_text(encoding="utf-8"))]
    Path(output).write_text(json.dumps(found), encoding="utf-8")


def _bound_memory() -> None:
    """Let the process end rather than the host, where the system knows of such limits."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_BYTES if hard == resource.RLIM_INFINITY else min(MOST_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _done(program: str, whole: str) -> dict[str, Any]:
    """Compile a program, and run it where a step on one device is given to compare with, in numbers of 64 bits."""
    step = _module(program, "step")
    import jax

    if whole:
        step.DTYPE, step.RATE = step.np.dtype("float64"), 1.0
    elif step.DTYPE.name == "bfloat16":  # hosts compute in float32; numbers are counted, not their bytes
        step.DTYPE = step.np.dtype("float32")
    with jax.enable_x64(bool(whole)):
        shapes = _shapes(step, step.PARAMETERS), _shapes(step, step.INPUTS)
        compiled = step.training_step.lower(*shapes).compile()
        found: dict[str, Any] = {"hlo": compiled.as_text()}
        return found | _run(step, compiled, _module(whole, "whole")) if whole else found


def _module(path: str, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _shapes(step: Any, table: Any) -> dict[str, Any]:
    """Return what a table's arrays are like, without any of their numbers."""
    import jax

    def shape(_: str, sizes: Any, spec: Any, cuts: Any, below: Any, windows: Any) -> Any:
        kind = step.DTYPE if below is None else step.np.int32
        is_laid = windows or any(len(cut) > 3 for cut in cuts)
        laid = jax.eval_shape(lambda: step.laid(step.jnp.zeros(sizes, kind), cuts, windows)) if is_laid else None
        found: Any = jax.ShapeDtypeStruct
        return found(laid.shape if laid else sizes, kind, sharding=jax.NamedSharding(step.MESH, spec))

    whole_rows = {name: row if len(row) > 3 else ("", row[0], row[1], (), row[2], ()) for name, row in table.items()}
    return {name: shape(*row) for name, row in whole_rows.items()}


def _run(step: Any, compiled: Any, whole: Any) -> dict[str, Any]:
    """Return the losses of both, and by parameter the largest difference of gradients, in parts of the largest one."""
    import jax

    parameters, inputs = step.random_arrays(step.PARAMETERS), step.random_arrays(step.INPUTS, seed=1)
    updated, loss = compiled(step.placed(step.PARAMETERS, parameters), step.placed(step.INPUTS, inputs))
    expected, gradients = jax.jit(jax.value_and_grad(whole.loss))(parameters, inputs)
    off, largest = {}, max(float(abs(one).max()) for one in gradients.values())
    for name, row in step.PARAMETERS.items():
        gradient = parameters[name] - step.np.asarray(step.restored(step.np.asarray(updated[name]), row[3]))
        scale = max(float(abs(gradients[name]).max()), LEAST * largest)
        off[name] = float(abs(gradient - gradients[name]).max()) / (scale or 1.0)
    return {"loss": float(loss.sum()), "whole_loss": float(expected), "off": off}


if __name__ == "__main__":
    main(*sys.argv[1:])
