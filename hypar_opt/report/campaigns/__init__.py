"""Campaigns as tables."""
