"""Ways to search a CostGraph, one file or folder each."""
