"""A plan as text: its layers, its costs, its placement, its phases."""
