"""Pipelines: operators that are done one after the other, and devices that they are divided among."""

from hypar_opt.instance.pipeline.instance import (
    DeviceKind,
    PipelineInstance,
    PipelineOperator,
    StageDevices,
    read_pipeline,
)

__all__ = ["DeviceKind", "PipelineInstance", "PipelineOperator", "StageDevices", "read_pipeline"]
