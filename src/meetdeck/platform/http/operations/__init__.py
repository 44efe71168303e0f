"""Addresses for operators and developers."""
