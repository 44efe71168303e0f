"""Suggestions that fields show while someone types."""
