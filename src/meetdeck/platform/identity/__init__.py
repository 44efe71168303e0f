"""Who calls, what they may do, and how people sign in."""
