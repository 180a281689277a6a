"""Non-dominated labels: exact Pareto fronts, and least costs under capacities, on chains and forests.

On graphs with cycles fronts alone (`clusters`): labels by the values of several variables, as bucket elimination needs.

A label of a value of a variable is a vector of what some assignment of the variable's subtree costs, a coordinate a
criterion and one a capacity. Of two labels of one value that differ, one that is nowhere larger replaces the other, for
whatever completes the one completes the other at no greater cost and with no more used. So

    L_x[s] = ND( u_x[s] + sum over children y of ND( union over t of L_y[t] + c_yx[t, s] ) )

with ND the non-dominated vectors holds every front point's label (the sums over children are of sets), and the front
is ND of the last variable's labels. The union over t is made level by level where the cost is over words
(`arcs`): each intermediate word merges the k sets that one letter's replacement leads to it, O(H k^(H+1)) sets for a
boundary and not k^(2H).

What can be proven to lead to nothing new is dropped on the way (`bounds`): what exceeds a capacity, what no completion
brings below a plan that is known. The latter rests on min-plus completions, which joint-dp's two passes give.
"""
