"""The bodies and queries of scheduling (contract section 4)."""
