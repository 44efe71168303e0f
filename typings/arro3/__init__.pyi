"""Declarations of arro3; see `core`."""
