"""Schedules of pipelines: known ones timed and checked, and the best there is for few microbatches."""

from hypar_opt.studies.schedules.rules import RULES, ScheduleRule, StageStep
from hypar_opt.studies.schedules.stages import Batch, StageTimes, batch_of, begins_of

__all__ = ["RULES", "Batch", "ScheduleRule", "StageStep", "StageTimes", "batch_of", "begins_of"]
