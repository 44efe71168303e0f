"""Portals, their patterns, and the answers to their fields."""
