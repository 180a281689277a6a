"""The files that ASTRA-sim runs traces with: the network in both of its forms, the system, the memory, and a script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.export.astra_sim.network import analytical_network, topology_text
from hypar_opt.export.traces.files import WORKLOAD, trace_files
from hypar_opt.export.traces.nodes import COMM_TYPES, NodeKind, TraceNode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.export.astra_sim.network import AnalyticalNetwork
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.collective.schema import CollectiveName
    from hypar_opt.instance.hardware import Machine

Groups: TypeAlias = "Mapping[int, tuple[int, ...]]"
"""Ranks, by number."""
SHARED: Final = (
    "groups.json",
    "memory.json",
    "network.yml",
    "ns3-logical.json",
    "ns3-topology.txt",
    "run.sh",
    "system.json",
)
"""Whatever may be written beside traces."""
_SYSTEM: Final[Mapping[str, Any]] = {
    "scheduling-policy": "FIFO",
    "endpoint-delay": 0,
    "active-chunks-per-dimension": 1,
    "preferred-dataset-splits": 1,
    "collective-optimization": "baseline",
    "boost-mode": 0,
}
"""What holds whatever is run: nothing is cut further, and nothing is charged beside links and computing."""
_STANDS_FOR: Final[Mapping[CollectiveName, CollectiveName]] = {"broadcast": "all-gather"}
"""What the system takes for a collective of which it runs no schedule of others; the traces say what is sent."""


def collective_folder(instance: CollectiveInstance) -> dict[str, bytes]:
    """Return by name the files that a collective's traces, `collective.RANK.et`, are run with.

    Every rank's workload is that collective once, and the system takes the traces for it.
    """
    played = _STANDS_FOR.get(instance.collective, instance.collective)
    attributes = {"comm_type": COMM_TYPES[played], "comm_size": instance.bytes_}
    node = TraceNode(f"{instance.collective} of {instance.name}", NodeKind.COLLECTIVE, (), attributes)
    ranks = len(instance.machine.accelerators)
    system = {**_SYSTEM, "local-mem-bw": 1600, f"{played}-implementation-custom": ["collective"]}
    return {**trace_files(WORKLOAD, [(node,)] * ranks), **shared_files(instance.machine, system)}


def step_folder(machine: Machine, groups: Groups | None = None) -> dict[str, bytes]:
    """Return by name the files that a step's traces, `workload.RANK.et`, are run with.

    An operation of the traces is a picosecond: of so many a second, computing takes what they say to the nanosecond.

    Parameters
    ----------
    machine
        The array.
    groups
        Ranks by the number of a group in which traces have collectives.
    """
    network = analytical_network(machine)
    return shared_files(machine, _step_system(network)) | _group_files(groups, network)


def axes_folder(network: AnalyticalNetwork, groups: Groups) -> dict[str, bytes]:
    """Return the same of an array of which axes alone are known."""
    return _files(network, _step_system(network), {}) | _group_files(groups, network)


def shared_files(machine: Machine, system: Mapping[str, Any]) -> dict[str, bytes]:
    """Return by name the files of an array and a system, and the script.

    Raises
    ------
    InputError
        If links have no bandwidth.
    """
    network = analytical_network(machine)
    shape = [len(machine.accelerators)] if network is None else [one.count for one in network.dimensions]
    logical = _json({"logical-dims": [str(count) for count in shape]})
    return _files(network, system, {"ns3-logical.json": logical, "ns3-topology.txt": topology_text(machine)})


def _step_system(network: AnalyticalNetwork | None) -> Mapping[str, Any]:
    dimensions = 1 if network is None else len(network.dimensions)
    native = {f"{name}-implementation": ["ring"] * dimensions for name in COMM_TYPES if name not in _STANDS_FOR}
    # the memory is so fast that no operation waits for it, also where a reader takes its GB for bytes
    return {**_SYSTEM, "roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 10**12, **native}


def _group_files(groups: Groups | None, network: AnalyticalNetwork | None) -> dict[str, bytes]:
    """Return the groups, and the script that names them."""
    if groups is None:
        return {}
    found = {"groups.json": _json({str(number): list(ranks) for number, ranks in groups.items()})}
    if network is not None:
        found["run.sh"] = _script("  --comm-group-configuration=groups.json \\\n")
    return {name: text.encode() for name, text in found.items()}


def _files(network: AnalyticalNetwork | None, system: Mapping[str, Any], more: Mapping[str, str]) -> dict[str, bytes]:
    texts = {"memory.json": _json({"memory-type": "NO_MEMORY_EXPANSION"}), **more, "system.json": _json(system)}
    if network is not None:
        texts |= {"network.yml": network.text, "run.sh": _script()}
    return {name: text.encode() for name, text in texts.items()}


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2) + "\n"


def _script(more: str = "") -> str:
    return (
        "#!/bin/sh\n"
        "# usage: ASTRA_SIM=.../AstraSim_Analytical_Congestion_Unaware sh run.sh\n"
        'cd "$(dirname "$0")" && exec "${ASTRA_SIM:?}" \\\n'
        f"  --workload-configuration={WORKLOAD} \\\n"
        "  --system-configuration=system.json \\\n"
        "  --network-configuration=network.yml \\\n"
        f"{more}"
        "  --remote-memory-configuration=memory.json\n"
    )
