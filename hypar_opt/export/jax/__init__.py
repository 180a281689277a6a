"""Plans as programs for JAX."""
