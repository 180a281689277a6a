"""Cost models: the layout rule, the accountings, and their compilation to a CostGraph."""
