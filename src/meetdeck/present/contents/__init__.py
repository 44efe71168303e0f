"""Contents: files that are stored for a while, uploaded or generated."""
