"""The paper's Figures 6, 7 and 9 to 13, recomputed."""
