"""The rules of calendars: what may be called, when they are read, and what follows."""
