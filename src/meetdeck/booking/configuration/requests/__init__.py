"""The bodies and queries that the configuration takes (contract section 4)."""
