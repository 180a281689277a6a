"""Exact placements where only time counts: which times of the levels an array leaves room for.

Let T_h be the time of level h, what its busiest link takes for a byte. A placement then costs, but for a constant,
`sum over h of V_h x T_h`, and the placement matters through (T_1 .. T_H) alone. A vector of times is *possible* if
some placement keeps every level within it.

* Whether a vector is possible depends on the array, not on the volumes: what is known serves for all volumes
  (`vectors`).
* What is above a possible vector is possible, and what is below an impossible one is impossible.
* Exchanging two bits in all leaves' names exchanges two levels: a vector is possible if it is in ascending order.
  So vectors are kept ascending, and one that is below another in that order is so in some order.
* A level's time is a sum of what exchanges keep one link busy with: there are finitely many (`values`).

With the times fixed a link's load is a constraint with a constant on its right: CP-SAT finds a placement, or a proof
that there is none, in seconds where it does not prove the optimum of the model with times as variables in minutes
(`model`).

**The search** (`search`). The volumes descending, the best order of a vector's times is ascending. Vectors are gone
through by what they cost; V stands for all vectors that it is below. If V is impossible, it gives way to least ones
among those that are not known to be so. Otherwise a largest W above V that is cheaper than the best placement so
far is asked about: if W is impossible, so is V, and so is all between; if it is possible, its placement is better.
When the cheapest vector left costs as much as the best placement, this one is optimal: all cheaper vectors are
impossible. A limit leaves the cheapest vector's cost as the bound.
"""
