"""Scheduling's resources."""
