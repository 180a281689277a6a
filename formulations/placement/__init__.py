"""Where the leaves of the partition tree stand: bounds, heuristics and exact models of placements."""
