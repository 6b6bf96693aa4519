"""leakbound says how much a data release leaks, with a certificate that anyone can recompute."""
