"""Reassigning the meetings of an absent employee."""
