"""Traces of a collective played in any order that their dependencies allow, by whose parts are in what everyone has."""

from __future__ import annotations

from collections import Counter


class Replay:
    """Ranks with what they have of each chunk: by source, how often its part is in it."""

    def __init__(self, traces, chunks, rng):
        self.traces, self.rng = traces, rng
        self.held = {(source, name): Counter([source]) for name, sources in chunks.items() for source in sources}
        self.over = [set() for _ in traces]
        self.flying, self.arrived, self.buffers = {}, {}, {}
        # what a node that adds or copies takes is kept aside when it is received
        self.aside = {
            (rank, one.attributes["comm_src"], one.attributes["comm_tag"], one.attributes["chunk"])
            for rank, trace in enumerate(traces)
            for one in trace
            if one.type == "COMP_NODE" and "comm_tag" in one.attributes
        }
        self.sent = []

    def run(self):
        """Do everything, or fail where nothing can be done any more."""
        left = [(rank, one) for rank, trace in enumerate(self.traces) for one in trace]
        while left or self.flying:
            ready = [entry for entry in left if self._ready(*entry)]
            choices = [*ready, *self.flying]
            assert choices, f"{len(left)} nodes wait for ever"
            chosen = self.rng.choice(choices)
            if len(chosen) == 3:
                self._land(chosen)
            else:
                left.remove(chosen)
                self._do(*chosen)
        assert not self.arrived, "sends without receives"

    def _ready(self, rank, one):
        if not self.over[rank].issuperset(one.data_deps):
            return False
        said = one.attributes
        return one.type != "COMM_RECV_NODE" or (said["comm_src"], rank, said["comm_tag"]) in self.arrived

    def _do(self, rank, one):
        said = one.attributes
        if one.type == "COMM_SEND_NODE":
            key = (said["comm_src"], said["comm_dst"], said["comm_tag"])
            assert said["comm_src"] == rank and key not in self.flying and key not in self.arrived
            # the data may be read as soon as it is begun, or only when it is over
            early = self._contents(rank, said) if self.rng.random() < 0.5 else None
            self.flying[key] = (one, early)
            return
        if one.type == "COMM_RECV_NODE":
            assert said["comm_dst"] == rank
            sent, contents = self.arrived.pop((said["comm_src"], rank, said["comm_tag"]))
            assert (sent["chunk"], sent["comm_size"]) == (said["chunk"], said["comm_size"])
            for chunk, content in contents.items():
                key = (rank, said["comm_src"], said["comm_tag"], chunk)
                if key in self.aside:
                    self.buffers[key] = content
                else:
                    self.held[rank, chunk] = content
        elif "comm_tag" in said:
            content = self.buffers.pop((rank, said["comm_src"], said["comm_tag"], said["chunk"]))
            before = self.held.get((rank, said["chunk"]), Counter())
            adds = {"add": True, "copy": False}[one.name.split()[0]]
            self.held[rank, said["chunk"]] = before + content if adds else content
        self.over[rank].add(one.id)

    def _land(self, key):
        one, contents = self.flying.pop(key)
        said = one.attributes
        self.arrived[key] = said, contents or self._contents(key[0], said)
        self.sent.append((said["chunk"].split(), said["comm_size"]))
        self.over[key[0]].add(one.id)

    def _contents(self, rank, said):
        return {chunk: self._content(rank, chunk) for chunk in said["chunk"].split()}

    def _content(self, rank, chunk):
        assert self.held.get((rank, chunk)), f"{rank} has nothing of {chunk}"
        return Counter(self.held[rank, chunk])


def check_replay(judged, traces, rng):
    """Play traces that were read, and check what everyone has at the end, and how much was sent."""
    instance = judged.instance
    chunks = {chunk.name: chunk.sources for chunk in instance.chunks}
    replay = Replay(traces, chunks, rng)
    replay.run()
    for chunk in instance.chunks:
        for target in chunk.targets:
            assert replay.held[target, chunk.name] == Counter(chunk.sources), (chunk, target)
    times = Counter(instance.chunks[one.chunk].name for one in judged.schedule.sends)
    assert times == Counter(name for names, _ in replay.sent for name in names)
    for names, size in replay.sent:
        assert abs(size - len(names) * instance.chunk_bytes) < len(names)
