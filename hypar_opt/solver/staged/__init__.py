"""Stages of a network on parts of an array, with strategies inside: compiled, decided, explained."""
