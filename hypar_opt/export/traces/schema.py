"""The messages of Chakra's execution traces, version 0.0.4, as far as they are written here.

Names, numbers and types of fields are those of `schema/protobuf/et_def.proto` in github.com/mlcommons/chakra (MIT).
They stand in a pool of their own, so that a package with the same messages may be imported beside.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE: Final = "ChakraProtoMsg"
VERSION: Final = "0.0.4"
"""What the first message of a file says."""
ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "chunk": "string_val",
        "comm_dst": "int32_val",
        "comm_size": "int64_val",
        "comm_src": "int32_val",
        "comm_tag": "int32_val",
        "comm_type": "int64_val",
        "is_cpu_op": "bool_val",
        "num_ops": "int64_val",
        "pg_name": "string_val",
        "tensor_size": "uint64_val",
    }
)
"""By attribute the field of its value: one reader of Chakra looks into no other, newer ones take any."""


class _Field(NamedTuple):
    name: str
    number: int
    type_: str
    repeated: bool = False


_MESSAGES: Final[Mapping[str, tuple[_Field, ...]]] = MappingProxyType(
    {
        "AttributeProto": (
            _Field("name", 1, "STRING"),
            _Field("int32_val", 7, "INT32"),
            _Field("int64_val", 9, "INT64"),
            _Field("uint64_val", 13, "UINT64"),
            _Field("bool_val", 27, "BOOL"),
            _Field("string_val", 29, "STRING"),
        ),
        "GlobalMetadata": (_Field("version", 1, "STRING"), _Field("attr", 2, "AttributeProto", repeated=True)),
        "Node": (
            _Field("id", 1, "UINT64"),
            _Field("name", 2, "STRING"),
            _Field("type", 3, "NodeType"),
            _Field("ctrl_deps", 4, "UINT64", repeated=True),
            _Field("data_deps", 5, "UINT64", repeated=True),
            _Field("start_time_micros", 6, "UINT64"),
            _Field("duration_micros", 7, "UINT64"),
            _Field("attr", 10, "AttributeProto", repeated=True),
        ),
    }
)
_NODE_TYPES: Final = (
    "INVALID_NODE METADATA_NODE MEM_LOAD_NODE MEM_STORE_NODE COMP_NODE COMM_SEND_NODE COMM_RECV_NODE COMM_COLL_NODE"
)
"""From 0 on."""


@cache
def message_classes() -> Mapping[str, Any]:
    """Return by name the classes of messages that google.protobuf makes of the schema."""
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    pool = DescriptorPool()
    pool.Add(_file())
    return {name: GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.{name}")) for name in _MESSAGES}


def _file() -> Any:
    """Return the schema as google.protobuf describes files."""
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

    file = FileDescriptorProto(name="et_def.proto", package=PACKAGE, syntax="proto3")
    kinds = file.enum_type.add(name="NodeType")
    for number, name in enumerate(_NODE_TYPES.split()):
        kinds.value.add(name=name, number=number)
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        if name == "AttributeProto":
            message.oneof_decl.add(name="value")
        for one in fields:
            own = message.field.add(name=one.name, number=one.number)
            own.label = FieldDescriptorProto.LABEL_REPEATED if one.repeated else FieldDescriptorProto.LABEL_OPTIONAL
            if one.type_.isupper():
                own.type = getattr(FieldDescriptorProto, f"TYPE_{one.type_}")
            else:
                is_enum = one.type_ == "NodeType"
                own.type = FieldDescriptorProto.TYPE_ENUM if is_enum else FieldDescriptorProto.TYPE_MESSAGE
                own.type_name = f".{PACKAGE}.{one.type_}"
            if one.name.endswith("_val"):
                own.oneof_index = 0
    return file
