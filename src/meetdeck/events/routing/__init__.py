"""Routing: placing events in the feed, and giving them to subscribers."""
