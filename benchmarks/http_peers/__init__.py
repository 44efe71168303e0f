"""The service that others would write for the same rows."""
