"""Pages for people: the start page and, later, the portal."""
