"""What bits of gradients, maps and errors do to a small network, and what a rule sends beside the static optimum."""
