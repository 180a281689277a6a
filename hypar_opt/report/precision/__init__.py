"""Networks whose layers choose their bits: plans on the terminal, as tables and as pictures."""
