"""Costs of plans on arrays of several kinds of accelerators, at given shares."""
