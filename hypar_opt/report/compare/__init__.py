"""Instances x formulations as tables."""
