"""Plans as what other programs read."""
