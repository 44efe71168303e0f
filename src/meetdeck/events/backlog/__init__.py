"""Backlog: how many events and jobs are waiting, for operators."""
