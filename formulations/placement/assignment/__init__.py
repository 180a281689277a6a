"""The programme that placement-cp-sat and placement-milp encode: a matching of sites at every level.

    min  constant + unit x (sum over levels h of (sum over pairs price[h, u, v] y[h, u, v]) + time price[h] ticks[h])

    (one site)   sum over u of x[p, u] = 1                            for every leaf p
    (one leaf)   sum over p of x[p, u] <= 1                           for every site u; = 1 if every site has a leaf
    (partner)    sum over v of y[h, u, v] = sum over p of x[p, u]     for every level h and site u
    (one level)  sum over h of y[h, u, v] <= 1                        for every two sites u, v
    (follows)    x[p, u] + y[h, u, v] <= 1 + x[q, v]                  for every exchange (p, q) of level h and
                                                                      ordered pair u, v; likewise from q to p
    (busiest)    sum over pairs of load[l, u, v] y[h, u, v] <= ticks[h]       for every link l and level h
    (crossing)   sum over h of w[h] x (sum over u in S, v not in S of y[h, u, v]) >= least
                                                                      for every cut (S, w, least)
    (proven)     the scaled cost >= least                             if something is proven beforehand
    (first key)  the site of p < the site of q                        for leaves that symmetry orders
    x, y binary, ticks whole

x[p, u] says that leaf p stands on site u; y[h, u, v] = y[h, v, u] that u and v exchange at level h. A placement is a
quadratic assignment: what it costs depends on products x[p, u] x[q, v] of the two leaves of an exchange. The
textbook has a variable z for each of them, tied to x by its row and column sums. But the exchanges of one level
all cost the same, so that only their sum over the level matters: y. It obeys what those sums
imply (partner), and follows from x where x is whole: u's leaf p says u's partner at level h, the site of q.
With 16 leaves on 16 sites that is 480 variables where z has 7,680.

**Why this and not z.** Both were measured, in CP-SAT (ortools 9.15, 2 workers on busy cores), for 16 accelerators
and hop-bytes: a torus of 4 x 4 is proven in a quarter of the time, and an H tree in 3 s, where the bound with z is
not half way after 40 s.

**What cuts are for.** On a mesh of 4 x 4 partner and crossing alone bring the linear programme within 4 % of the
optimum. Clause learning carries their long sums along for nothing: that no placement there takes one tick at every
level is proven in 4 s without cuts, and not in 40 s with them. HiGHS proves the mesh for hop-bytes, volumes
1, 2, 4, 8, in 38 to 73 s with cuts, and stays at the bound that it was given for 90 s without. So placement-milp
has cuts, and placement-cp-sat only if asked.

**Units.** The least pair cost is paid for every exchange and goes into the constant; what is left, and what a tick
costs, are divided by their greatest common divisor `unit`.
"""

ENCODING = "quadratic assignment"
"""What the capabilities of the formulations over it name."""
