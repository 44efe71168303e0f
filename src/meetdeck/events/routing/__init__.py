"""Routing: placing events in the feed, and passing them to subscribers."""
