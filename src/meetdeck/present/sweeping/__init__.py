"""Sweeping: files that nobody needs are deleted from the storage."""
