"""Altsplit, its baseline and the optimum, on 2 to 1,024 processes."""
