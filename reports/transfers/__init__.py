"""In which order gradients are sent, by rules and at best, over networks, bandwidths and start-ups."""
