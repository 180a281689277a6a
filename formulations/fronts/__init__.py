"""Pareto fronts of any graph, point by point: epsilon-constraints over the polytope of formulations.polytope.

Every criterion j is a linear expression over the same one-hot values x and flows f,

    F_j = sum over v, i of u_j[v, i] x[v, i] + sum over edges e, arcs a of c_j[e, a] f[e, a],

for one network carries an edge's costs by all criteria (`packing`). So "criterion j is at most so much" is a row, and
CP-SAT, which computes in exact integers, proves each point and, with the last row that nothing meets, that there are
no more.

* **Two criteria** (`epsilon`): least F_1 with F_2 <= epsilon, then least F_2 with F_1 at most that; epsilon falls to
  one below the point found. The second search is what makes each point non-dominated (Haimes, Lasdon and Wismer's
  epsilon-constraints, 1971, in two stages).
* **Three** (`improvement`): least F_1 + F_2 + F_3 where, for every point p found, some F_j <= p_j - 1 (Sylva and Crema,
  EJOR 158, 2004). What dominates an optimum of it would be allowed by the same rows and have a smaller sum.
"""
