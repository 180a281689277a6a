"""Networks whose layers are put into stages: plans on the terminal, as tables and as pictures."""
