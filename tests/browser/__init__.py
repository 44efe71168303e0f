"""A package, so that its fixtures end with its last test: Playwright occupies the event loop that others need."""
