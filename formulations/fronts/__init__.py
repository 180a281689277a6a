"""Pareto fronts of any graph, point by point: epsilon-constraints over the polytope of formulations.flow_model.

Every criterion j is a linear expression over the same one-hot values x and flows f,

    F_j = sum over v, i of u_j[v, i] x[v, i] + sum over edges e, arcs a of c_j[e, a] f[e, a],

for one network carries an edge's costs by all criteria (`packing`). So "criterion j is at most epsilon_j" is a row,
and CP-SAT, which computes in exact integers, finds the least F_1 + F_2 + ... under one such row a criterion, which is a
point of the front, or proves that there is none; `zones` says which epsilons have to be asked about until nothing is
left.

Classical two-stage epsilon-constraints (least F_1 with F_2 bounded, then least F_2 with F_1 at that) were measured
beside it and dropped: as many searches and as fast on chains, but on resnet-18 18 points after 40 s, where this has 97.
Rows of the kind "some criterion is less than at point p", one for each point, are slower by far: 21 s and not 1.5 s for
the 45 points of lenet-c's front of the bytes of level 1, of level 2, and of levels 3 and 4.
"""
