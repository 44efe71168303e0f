"""Time slots' SQL: changes and lists."""
