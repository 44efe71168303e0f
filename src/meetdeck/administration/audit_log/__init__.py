"""The audit log: read by the API and a command, and erased after a period."""
