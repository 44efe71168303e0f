"""Tenants: who they are, what they may store, and deleting all that they have."""
