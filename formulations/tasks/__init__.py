"""Schedules of tasks in time: by a search, by a programme, by rules of lists, and all of them."""
