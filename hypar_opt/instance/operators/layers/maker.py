"""What a layer is made with: its parameters and operators are noted as it asks for them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import gcd, prod
from typing import TYPE_CHECKING

from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.graph import Operand, Operator, Statistic, Tensor
from hypar_opt.instance.operators.layers.value import fresh, transposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.instance.operators.layers.reading import OutputDim, Read, Sums
    from hypar_opt.instance.operators.layers.value import Value


@dataclass
class Graph:
    """Tensors and operators as they are noted, of a batch of samples."""

    batch: int
    element_bytes: int
    tensors: dict[str, Tensor] = field(default_factory=dict)
    operators: list[Operator] = field(default_factory=list)


@dataclass
class Maker:
    """Of one layer.

    Parameters
    ----------
    layer
        Its name in full.
    graph
        What is noted.
    shares
        The layer, by its name in full, whose parameters it uses.
    """

    layer: str
    graph: Graph
    shares: str | None = None
    parameters: int = 0
    multiply_adds: int = 0
    parts: dict[str, Value] = field(default_factory=dict)
    """What it writes beside its output, by the ends of their names."""
    has_shared: bool = False

    def parameter(self, suffix: str, dims: Sequence[tuple[str, int]]) -> Value:
        """Return trained numbers of its own, or of the layer that it shares them with if that has such.

        Raises
        ------
        ShapeError
            If those have other sizes, even transposed.
        """
        sizes = tuple(size for _, size in dims)
        there = self.graph.tensors.get(f"{self.shares}.{suffix}") if self.shares is not None else None
        if there is None:
            self.parameters += prod(sizes)
            return self._noted(Tensor(f"{self.layer}.{suffix}", sizes, "parameter", self.graph.element_bytes), dims)
        self.has_shared = True
        if there.sizes == sizes:
            return fresh(there.name, dims)
        if len(sizes) == 2 and there.sizes == sizes[::-1]:
            return transposed(fresh(there.name, dims[::-1]), (1, 0))
        needed, known = (" x ".join(map(str, one)) for one in (sizes, there.sizes))
        raise ShapeError(
            f"expected a layer with a {suffix} of {needed}, and that of '{self.shares}' is {known}", ("shared",)
        )

    def mask(self, dims: Sequence[tuple[str, int]]) -> Value:
        """Return random zeros and ones of its own, which are drawn where they are needed and kept as they lie there."""
        sizes = tuple(size for _, size in dims)
        tensor = Tensor(
            f"{self.layer}.mask", sizes, "input", self.graph.element_bytes, has_gradient=False, is_mask=True
        )
        return self._noted(tensor, dims)

    def is_input(self, value: Value) -> bool:
        """Whether it is of the network's inputs."""
        return self.graph.tensors[value.tensor].role == "input"

    def operator(
        self,
        kind: str,
        reads: Sequence[Read],
        output: Sequence[OutputDim],
        *,
        suffix: str = "",
        splits: Sequence[str] | None = None,
        limits: Mapping[str, int] | None = None,
        sums: Sequence[Sums] = (),
        multiply_adds: int = 0,
        is_cheap: bool = False,
        saved_output: bool = False,
        is_last: bool = False,
        products: int = 1,
    ) -> Value:
        """Note an operator, and return its output.

        Parameters
        ----------
        kind, multiply_adds, is_cheap, products
            As an `Operator` has them.
        reads, output
            What it reads, and the dimensions of what it writes.
        suffix
            Added to the layer's name, where the layer has several.
        splits
            The dimensions to offer, all unless given; those that fall into no parts are left out.
        limits
            By dimension, how many blocks it has beside what follows from the tensors.
        sums
            That all parts need.
        saved_output
            Whether the backward phase reads the output.
        is_last
            Whether nothing can depend on the output, so that it has no gradient.
        """
        tensors = self.graph.tensors
        whole = {one.dim: one.size for one in output}
        factors = {name: gcd(size, (limits or {}).get(name, 0)) for name, size in whole.items()}
        apart = set[str]()
        for read in reads:
            for name, dim in read.pairs():
                whole.setdefault(name, dim.size)
                if read.can_split(name, dim):
                    factors[name] = gcd(factors.get(name, (limits or {}).get(name, 0)), dim.factor)
                else:
                    apart.add(name)
        sizes = {name: whole[name] if name in apart else factors[name] for name in whole}
        offered = [name for name in (sizes if splits is None else splits) if name not in apart and sizes[name] > 1]
        full = f"{self.layer}.{suffix}" if suffix else self.layer
        trained = [tensors[one.value.tensor] for one in reads if one.has_gradient]
        trained = [tensor for tensor in trained if tensor.has_gradient]
        goes_back = bool(trained)
        adds_back = any(one.role == "activation" for one in trained)  # sums are for gradients of maps alone
        has_gradient = not is_last and goes_back
        made = Tensor(full, tuple(x.size for x in output), "activation", self.graph.element_bytes, has_gradient)
        self.graph.operators.append(
            Operator(
                full,
                kind,
                self.layer,
                sizes,
                tuple(offered),
                tuple(self._operand(replace(one, saved=goes_back and self._is_saved(one, reads))) for one in reads),
                Operand(full, tuple(one.dim for one in output), saved=saved_output and goes_back),
                tuple(self._statistic(one if adds_back else replace(one, backward=0), whole, sizes) for one in sums),
                multiply_adds,
                is_cheap,
                products,
            )
        )
        self.multiply_adds += multiply_adds
        return self._noted(made, [(one.name, one.size) for one in output])

    def _is_saved(self, read: Read, reads: Sequence[Read]) -> bool:
        """Return whether the backward phase reads an operand; of a parameter, for the gradients of others."""
        tensors = self.graph.tensors
        if not read.saved or tensors[read.value.tensor].role != "parameter" or not read.is_factor:
            return read.saved
        others = (one for one in reads if one is not read and not one.is_added)
        return any(tensors[one.value.tensor].has_gradient for one in others)

    def _noted(self, tensor: Tensor, dims: Iterable[tuple[str, int]]) -> Value:
        self.graph.tensors[tensor.name] = tensor
        return fresh(tensor.name, dims)

    def _operand(self, read: Read) -> Operand:
        """Return the operand by the tensor's own dimensions."""
        dims: list[str | None] = [None] * len(self.graph.tensors[read.value.tensor].sizes)
        for name, dim in read.pairs():
            if dim.place is not None and read.can_split(name, dim):
                dims[dim.place] = name
        sizes = {name: dim.size for name, dim in read.pairs() if name in dims}
        windows = {name: one for name, one in read.windows.items() if name in sizes and not one.is_aligned(sizes[name])}
        return Operand(read.value.tensor, tuple(dims), windows, read.saved, read.is_added, read.has_gradient)

    def _statistic(self, sums: Sums, whole: Mapping[str, int], sizes: Mapping[str, int]) -> Statistic:
        """Return the sums by the operator's sizes, which may be the outermost factors alone."""
        inner = prod(whole[name] // sizes[name] for name in sums.dims)
        return Statistic(sums.dims, sums.forward * inner, sums.backward * inner, self.graph.element_bytes)
