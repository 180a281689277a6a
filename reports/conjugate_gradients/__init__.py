"""Conjugate gradients in tasks: how long iterations take on how many workers, with which barriers, and with noise."""
