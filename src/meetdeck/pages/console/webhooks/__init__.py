"""Webhooks at the console: which systems get events, and the results of deliveries."""
