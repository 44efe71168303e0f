"""The users of the built-in token issuer."""
