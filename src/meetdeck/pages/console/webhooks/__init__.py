"""Webhooks at the console: who is told of what happens, and what became of it."""
