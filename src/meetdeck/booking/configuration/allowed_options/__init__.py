"""The choices for a meeting, before a time is searched for."""
