"""What programs for JAX are made of besides their operators."""
