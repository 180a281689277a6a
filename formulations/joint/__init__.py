"""Parallelism and placement together: strategies s and sites p that minimise `sum over h of C_h(s) w_h(p)`.

A plan sees a placement through H numbers only, its level weights w, and a placement sees a plan through the bytes
of its levels, C. So two functions say everything:

* P(w) = min over s of C(s) . w, which joint-dp computes. As a minimum of linear functions it is concave, and as no
  C is negative it never falls when w grows; P(t w) = t P(w).
* f(C) = min over p of C . w(p), a placement problem. The leaves' bits can be exchanged, which exchanges the
  levels of every placement's weights: f does not mind the order of C.

`enumeration` goes over weights, `cp_sat` holds both sets of variables in one model and shares no step of the
argument with it, and `alternating` is for arrays that are too large for both.
"""
