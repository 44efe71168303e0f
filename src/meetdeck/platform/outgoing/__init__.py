"""Calls to the outside, and the addresses that may be called."""
