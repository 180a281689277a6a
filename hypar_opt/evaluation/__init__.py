"""What a plan costs and whether it is one, by code that shares nothing with the encodings."""
