"""Forms of resources: their fields, choices, and what was typed."""
