"""Pipelines: operators that are done one after the other, and devices that they are divided among."""

from hypar_opt.instance.pipeline.instance import PipelineInstance, read_pipeline
from hypar_opt.instance.pipeline.parts import DeviceKind, PipelineOperator
from hypar_opt.instance.pipeline.stage_devices import PlannedOperator, StageDevices
from hypar_opt.instance.pipeline.ways import OperatorWay

__all__ = [
    "DeviceKind",
    "OperatorWay",
    "PipelineInstance",
    "PipelineOperator",
    "PlannedOperator",
    "StageDevices",
    "read_pipeline",
]
