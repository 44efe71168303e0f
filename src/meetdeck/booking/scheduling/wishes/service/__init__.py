"""Wishes, the times that become free, and offering these to those."""
