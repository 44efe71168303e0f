"""What reports count, and how: meetings; hours; free time."""
