"""What plans for operators move and whether they are plans, by code that knows nothing of how they were found."""

from hypar_opt.evaluation.operators.computing import Work, works
from hypar_opt.evaluation.operators.costs import costs
from hypar_opt.evaluation.operators.crossings import GraphLoads, Walks, on_graph
from hypar_opt.evaluation.operators.emitted import Emitted
from hypar_opt.evaluation.operators.legality import faults
from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.evaluation.operators.memory import resident, total_resident
from hypar_opt.evaluation.operators.movement import Movement, total
from hypar_opt.evaluation.operators.operator_step import OperatorStep
from hypar_opt.evaluation.operators.peak import MemoryPeak, occupied, peak_of
from hypar_opt.evaluation.operators.plan import OperatorPlan, operator_plan, shared_dims
from hypar_opt.evaluation.operators.program import PHASES, Phase, Surroundings, surroundings
from hypar_opt.evaluation.operators.step import movements
from hypar_opt.evaluation.operators.update import updates
from hypar_opt.evaluation.operators.waits import joules, waits

__all__ = [
    "PHASES",
    "Emitted",
    "GraphLoads",
    "Likeness",
    "MemoryPeak",
    "Movement",
    "OperatorPlan",
    "OperatorStep",
    "Phase",
    "Surroundings",
    "Walks",
    "Work",
    "costs",
    "faults",
    "joules",
    "movements",
    "occupied",
    "on_graph",
    "operator_plan",
    "peak_of",
    "resident",
    "shared_dims",
    "surroundings",
    "total",
    "total_resident",
    "updates",
    "waits",
    "works",
]
