"""What a process of PyTorch calls of others, and for which conversion. Needs PyTorch and nothing else."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS: Final = {
    "all_reduce": "all-reduce",
    "all_reduce_": "all-reduce",
    "all_gather_into_tensor": "all-gather",
    "reduce_scatter_tensor": "reduce-scatter",
    "all_to_all_single": "all-to-all",
    "shard_dim_alltoall": "all-to-all",
}
"""By an operator's name, what is called a collective elsewhere."""
SPACES: Final = ("_c10d_functional", "_dtensor", "c10d")
"""Where PyTorch's collectives are."""
SILENT: Final = ("wait_tensor",)
LABEL: Final = "hypar-opt"
"""Under which key nodes of autograd keep their conversion."""


class CollectiveRecorder:
    """The collectives of a process.

    Attributes
    ----------
    found
        For each its kind, the devices of the group, the numbers of the result, and whose conversion it is.
    """

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []
        self._label = ""

    @contextmanager
    def labelled(self, label: str) -> Iterator[None]:
        """Have what is called meanwhile belong to a conversion, but for what nodes of autograd call."""
        before, self._label = self._label, label
        try:
            yield
        finally:
            self._label = before

    def mode(self) -> Any:
        """Return a context in which everything is recorded that is called."""
        from torch.distributed.tensor import DTensor
        from torch.utils._python_dispatch import TorchDispatchMode

        recorder = self

        class Mode(TorchDispatchMode):  # type: ignore[misc]
            def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                if any(issubclass(one, DTensor) for one in types):
                    return NotImplemented
                result = function(*args, **(kwargs or {}))
                if function.namespace in SPACES:
                    recorder.record(function, args, result)
                return result

        return Mode()

    def record(self, function: Any, args: Any, result: Any) -> None:
        """Record a call.

        Raises
        ------
        NotImplementedError
            If it is of a kind that is not known.
        """
        from torch.distributed import distributed_c10d

        name = function.overloadpacket.__name__
        if name in SILENT:
            return
        if name not in KINDS:
            raise NotImplementedError(f"a collective that is not counted: {function}")
        group = next(one for one in reversed(args) if isinstance(one, str))
        ranks = distributed_c10d.get_process_group_ranks(distributed_c10d._resolve_process_group(group))
        self.found.append(
            {"kind": KINDS[name], "ranks": list(ranks), "elements": result.numel(), "label": self._current()}
        )

    def _current(self) -> str:
        import torch

        node = torch._C._current_autograd_node()
        return self._label if node is None else str(node.metadata.get(LABEL, self._label))


def mark(node: Any, label: str) -> None:
    """Have what a node of autograd calls, and all before it that belong to nothing yet, belong to a conversion."""
    left = [node]
    while left:
        one = left.pop()
        if one is not None and LABEL not in one.metadata:
            one.metadata[LABEL] = label
            left += [before for before, _ in one.next_functions]
