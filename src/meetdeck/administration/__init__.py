"""Administration of an installation: its tenants, their keys, clients and users, and the log of changes."""
