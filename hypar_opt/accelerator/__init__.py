"""What one accelerator of the array can do, and what it spends."""

from hypar_opt.accelerator.accelerator import MODELS, OPTIMISERS, Accelerator, Energies, Model, Optimiser

__all__ = ["MODELS", "OPTIMISERS", "Accelerator", "Energies", "Model", "Optimiser"]
