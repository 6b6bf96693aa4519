"""Recomputation of the core's methods in ball arithmetic; it shares no formula's code with what it checks."""
