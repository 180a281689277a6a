"""What is shown of task graphs in time and of their schedules."""
