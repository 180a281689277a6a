"""Whether boxes of shares hold no better plan, by code that shares nothing with the search that made them."""
