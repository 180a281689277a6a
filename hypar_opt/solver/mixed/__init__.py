"""Plans on arrays of several kinds of accelerators: words and shares, and what proves them best."""
