"""deploy/ha on one machine: three database machines, two that serve, their balancers, and callers."""
