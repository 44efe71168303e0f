"""Tenants: their settings, their quotas, and deleting all their data."""
