"""Schedules of task graphs, replayed event by event.

Begun when the schedule says, every task finds what it needs, and all ends when the schedule says: exactly, or the
schedule is none. Begun as early as the schedule's order lets it, no task begins later than planned.
"""

from hypar_opt.studies.simulation.replay.plays import Play, Score, score_of
from hypar_opt.studies.simulation.replay.run import BEGINS, Begins, Replay, Stuck, replay_schedule

__all__ = ["BEGINS", "Begins", "Play", "Replay", "Score", "Stuck", "replay_schedule", "score_of"]
