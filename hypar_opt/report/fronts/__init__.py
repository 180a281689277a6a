"""Pareto fronts as text and picture."""
