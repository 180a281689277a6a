"""The sizes beyond which an instance is refused."""

MOST_BYTES = 64 * 2**20
"""In one file."""
MOST_UNPACKED = 2**30
"""Of a strategy graph's JSON, after decompression; ten times what the largest public one has."""
MOST_NODES = 5_000_000
"""Values and keys in a YAML file, each alias counted as all that it stands for."""
DEEPEST = 64
"""Mappings and lists inside each other."""
MOST_LAYERS = 100_000
"""In a network."""
MOST_LEVELS = 24
"""Of an array: 2^24 accelerators."""
LARGEST_SIZE = 2**40
"""Of a batch, a map, a kernel or a number of filters."""
LONGEST_NAME = 100
"""Characters of a name."""
MOST_KINDS = 64
"""Of accelerators, in one array."""
MOST_MIXED_LEVELS = 16
"""Of an array of several kinds: each of its 2^16 accelerators is looked at."""
MOST_DIMS = 16
"""Of a torus or a mesh."""
MOST_NODES_OF_ARRAY = 2**16
"""Of a custom graph."""
