"""The first page of the console: today, and what needs attention."""
