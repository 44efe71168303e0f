"""Erasing customers, and the digests that identify their erasures."""
