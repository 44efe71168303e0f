"""The rules of tenants."""
