"""What a plan is judged by: the components of its cost, and how they are weighed."""
