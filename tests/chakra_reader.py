"""Execution traces read by the published schema, without protobuf: fields by the numbers of Chakra's et_def.proto."""

from __future__ import annotations

from dataclasses import dataclass, field

VALUES = {7: "int32_val", 9: "int64_val", 13: "uint64_val", 27: "bool_val", 29: "string_val"}
"""Of an attribute, the fields that traces of sends have."""
TYPES = {4: "COMP_NODE", 5: "COMM_SEND_NODE", 6: "COMM_RECV_NODE", 7: "COMM_COLL_NODE"}


@dataclass
class ReadNode:
    """A node as read."""

    id: int = 0
    name: str = ""
    type: str = ""
    data_deps: list = field(default_factory=list)
    micros: int = 0
    attributes: dict = field(default_factory=dict)
    kinds: dict = field(default_factory=dict)


def read_trace(content):
    """Return the version and the nodes of a file."""
    messages = list(_delimited(content))
    ((number, version),) = _fields(messages[0])
    assert number == 1
    return version.decode(), [_node(one) for one in messages[1:]]


def _node(content):
    found = ReadNode()
    for number, value in _fields(content):
        if number == 1:
            found.id = value
        elif number == 2:
            found.name = value.decode()
        elif number == 3:
            found.type = TYPES[value]
        elif number == 5:
            found.data_deps += list(_packed(value))
        elif number == 7:
            found.micros = value
        else:
            assert number == 10, number
            own = dict(_fields(value))
            name = own.pop(1).decode()
            ((kind, said),) = own.items()
            found.attributes[name] = said.decode() if isinstance(said, bytes) else said
            found.kinds[name] = VALUES[kind]
    return found


def _varint(content, place):
    value = shift = 0
    while True:
        byte = content[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def _delimited(content):
    place = 0
    while place < len(content):
        length, place = _varint(content, place)
        yield content[place : place + length]
        place += length
    assert place == len(content)


def _packed(content):
    place = 0
    while place < len(content):
        value, place = _varint(content, place)
        yield value


def _fields(content):
    """Yield the number and the value of every field: an integer, or bytes."""
    place = 0
    while place < len(content):
        key, place = _varint(content, place)
        if key & 7 == 0:
            value, place = _varint(content, place)
        else:
            assert key & 7 == 2, key
            length, place = _varint(content, place)
            value = content[place : place + length]
            assert len(value) == length
            place += length
        yield key >> 3, value
