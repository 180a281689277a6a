"""Collectives and their schedules, for people and for machines."""
