"""Arrays of several kinds of accelerators, and plans on them, on the terminal, for machines and as tables."""
