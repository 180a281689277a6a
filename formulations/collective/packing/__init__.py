"""Trees that share links: how much they can bring at most, and which they are."""
