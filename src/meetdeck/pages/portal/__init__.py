"""The page on which customers book, move and cancel meetings (docs/portals.md)."""
