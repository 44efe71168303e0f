"""Erasing customers, and the digests by which their erasures are known."""
