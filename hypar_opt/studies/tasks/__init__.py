"""Plans as task graphs: what takes which accelerators and links for how long, and what waits for what."""

from hypar_opt.studies.tasks.of_simulation import SimulatedTasks, simulated_tasks

__all__ = ["SimulatedTasks", "simulated_tasks"]
