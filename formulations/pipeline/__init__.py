"""Formulations of pipelines: which device every group of operators gets."""
