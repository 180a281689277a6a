"""Plans and formulae that others published, in terms of operators, beside what is recomputed."""
