"""Strategy graphs: other people's instances, read and judged."""

from hypar_opt.instance.strategy_graph.graph import FORBIDDEN_COST, StrategyGraph
from hypar_opt.instance.strategy_graph.read import read_strategy_graph

__all__ = ["FORBIDDEN_COST", "StrategyGraph", "read_strategy_graph"]
