"""Clients of the built-in token issuer (test environment)."""
