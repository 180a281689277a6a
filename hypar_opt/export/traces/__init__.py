"""Execution traces in Chakra's format: a file a rank, of nodes that compute, send and receive."""
