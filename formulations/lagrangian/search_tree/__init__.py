"""A tree of subproblems: what bounds leave open is divided, and every part ascends on its own."""
