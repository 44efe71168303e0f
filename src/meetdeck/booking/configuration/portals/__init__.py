"""Portals, and the answers to their fields."""
