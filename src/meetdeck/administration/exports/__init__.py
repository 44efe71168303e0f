"""`meetdeck export` and `meetdeck import-tenant`: one tenant in an open format (docs/export.md)."""
