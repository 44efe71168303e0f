"""Comparing a list of known slots with the slots that the search finds (docs/comparing-free-times.md).

`known_slots` reads the list, `search_query` the query of its search, `service` runs the search and explains missing
slots, `additions` sorts the slots that only the search finds.
"""
