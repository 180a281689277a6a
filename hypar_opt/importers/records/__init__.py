"""Which layers the operators of each framework are, a record a kind of operator."""
