"""The polytope that milp-cbc, milp-highs and cp-sat encode: one-hot values, and a flow on every edge.

    min  constant + unit x (sum over v, i of u[v, i] x[v, i] + sum over edges e, arcs a of c[e, a] f[e, a])

    (one value)    sum over i of x[v, i] = 1                                    for every variable v
    (source)       sum over arcs a out of s_i of f[e, a] = x[first(e), i]       for every edge e, value i
    (sink)         sum over arcs a into q_j of f[e, a] = x[second(e), j]        for every edge e, value j
    (conservation) sum of f[e, a] into n = sum of f[e, a] out of n              for every edge e, inner node n
    (capacity)     sum over v, i of usage[v, i] x[v, i] + sum over edges e, arcs a of usage[e, a] f[e, a] <= limit
                                                                                for every capacity
    x binary, f >= 0

x[v, i] exists for the values that the mask allows; arcs off every allowed path do not exist.

**Why it is as tight as pair variables.** The textbook's local polytope has a variable y[s, q] for every pair of
values, with row sums x[first, s] and column sums x[second, q]. In an edge's network (`network`), every pair (s, q) is
the ends of exactly one path, and the path's arcs cost what the pair costs. So the path flows of any f are
a y with the same sums and the same cost (a flow in an acyclic network is a sum of path flows), and any y
sent along its paths is such an f. Both linear programmes have the same optimum, over any x;
but a cost over words of H levels and k letters needs H k^(H+1) arcs where y needs k^(2H) pairs. On graphs without
cycles, and without capacities, both are integral: branching only ever pays for cycles and capacities.
f is integral wherever x is, up to the choice of path, which is unique: only x has to be declared binary.

**Units.** Costs are exact integers of 1e11 and more. Each variable's least cost (and each table's least entry) goes
into the constant, and what remains is divided by its greatest common divisor `unit`, so that a solver in
floating point sees small numbers, and neighbouring objective values differ by at least 1.
"""

ENCODING = "polytope"
"""What the capabilities of the formulations over it name."""
