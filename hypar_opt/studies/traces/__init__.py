"""Training steps as execution traces: the tasks that are simulated, written for other simulators."""
