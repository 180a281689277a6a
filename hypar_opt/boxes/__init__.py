"""What is true of a plan, by code that shares nothing with the encodings."""

from hypar_opt.boxes.levels import Breakdown, Setting, communication

__all__ = ["Breakdown", "Setting", "communication"]
