"""The slot search: reading its input (candidates, terms, working hours), and running it."""
