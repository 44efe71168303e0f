"""Sweeping: deletes unneeded files from storage."""
