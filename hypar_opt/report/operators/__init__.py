"""Networks of operators, arrays of axes and plans for these, for people to read."""
