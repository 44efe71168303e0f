"""Backlog: how much of events and jobs waits, for operators."""
