"""Schedules of collectives; they see a CollectiveGraph."""
