"""Errors, files and interruption: what every other package builds on."""
