"""What the network's interface does to schedules of collectives, simulated."""
