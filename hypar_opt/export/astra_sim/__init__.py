"""What ASTRA-sim reads beside traces: the network, the system, and the commands that run it."""
