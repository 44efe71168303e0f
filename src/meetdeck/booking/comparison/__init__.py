"""Comparing a list of known slots with what the search here finds (docs/moving.md).

`known_slots` reads the list, `search_query` the search that made it, `service` runs the search and explains what it
does not offer, `additions` sorts what it offers beside.
"""
