"""Strategy graphs that fall into components: each is searched on its own, and they are told as one."""

from hypar_opt.solver.components.decomposition import solve_apart

__all__ = ["solve_apart"]
