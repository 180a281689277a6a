"""Verdicts on claims as tables."""
