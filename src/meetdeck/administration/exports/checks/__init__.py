"""The checks of an imported firm's values: the API's own, for every resource, before the import commits (0169)."""
