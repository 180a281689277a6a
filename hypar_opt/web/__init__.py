"""The live page: pick or edit an instance, watch it being solved, get plan, report and certificate."""
