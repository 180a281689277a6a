"""Networks on several arrays as a table."""
