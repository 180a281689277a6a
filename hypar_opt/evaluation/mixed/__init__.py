"""Plans for arrays of several kinds of accelerators, recounted: who does how much, and who waits for whom.

Written from the description of the model: every half of a group has a box of its own of every tensor, and reads what it
needs and lacks. It shares no code with what plans are optimised by.
"""

from hypar_opt.evaluation.mixed.boxes import NONE, Number
from hypar_opt.evaluation.mixed.exchanges import ClassExchange, HalfExchange, communication_bytes, exchanged, exchanges
from hypar_opt.evaluation.mixed.legality import MixedRules, fault_of, forbidden, is_split, overflow, share_fault
from hypar_opt.evaluation.mixed.memory import resident
from hypar_opt.evaluation.mixed.own_shares import own_share_fault, too_fine
from hypar_opt.evaluation.mixed.polynomials import Quadratic, Quadratics, quadratics
from hypar_opt.evaluation.mixed.setting import BY_LEVEL, MixedSetting
from hypar_opt.evaluation.mixed.spending import energies
from hypar_opt.evaluation.mixed.traffic import LeafTraffic, read_by_leaf, traffic
from hypar_opt.evaluation.mixed.waiting import Stint, Waits, step_time, stints, time_of, waits

__all__ = [
    "BY_LEVEL",
    "NONE",
    "ClassExchange",
    "HalfExchange",
    "LeafTraffic",
    "MixedRules",
    "MixedSetting",
    "Number",
    "Quadratic",
    "Quadratics",
    "Stint",
    "Waits",
    "communication_bytes",
    "energies",
    "exchanged",
    "exchanges",
    "fault_of",
    "forbidden",
    "is_split",
    "overflow",
    "own_share_fault",
    "quadratics",
    "read_by_leaf",
    "resident",
    "share_fault",
    "step_time",
    "stints",
    "time_of",
    "too_fine",
    "traffic",
    "waits",
]
