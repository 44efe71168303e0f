"""The people of the built-in token issuer."""
