"""Studies: many problems solved and laid side by side."""
