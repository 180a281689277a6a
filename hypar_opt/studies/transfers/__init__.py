"""Transfers of gradients in a data-parallel step: in which order they share a link, by rules and at best.

Gradients become ready one after another while the step goes backward, the last layer's first. They share one link. The
next step goes forward layer by layer, each as soon as its gradient has arrived. A problem is a `TransferProblem`; the
optimum with cuts anywhere is `best_messages`, that of whole gradients `best_whole`, rules are in `rules`.
"""

from __future__ import annotations

from hypar_opt.util.lazy import lazy_names

_NAMES = {
    "messages": ("GradientMessage", "GradientPart", "SentMessages"),
    "optimum": ("best_messages", "least_end"),
    "problem": ("Gradient", "TransferProblem"),
    "whole": ("best_whole",),
}
__all__ = [name for names in _NAMES.values() for name in names]  # pyright: ignore[reportUnsupportedDunderAll]
__getattr__ = lazy_names(__name__, _NAMES)
