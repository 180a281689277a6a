"""hypar-opt: exact optimisation of parallelism for training networks on accelerator arrays."""
