"""A corner of the search space, and arrays of other sizes, as tables and pictures."""
