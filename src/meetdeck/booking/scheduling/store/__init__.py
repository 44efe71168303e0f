"""Scheduling's SQL, by resource."""
