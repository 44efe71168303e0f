"""Administration of an installation: its tenants, who may call for them, and the log of what was changed."""
