"""What people and machines are shown: numbers, grids, tables."""
