"""The live page: pick or edit an instance, watch it being solved, get plan, report and certificate."""

from hypar_opt.util.extras import require

require("web", "report")
