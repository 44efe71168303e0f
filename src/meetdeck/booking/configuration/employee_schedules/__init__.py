"""Employee schedules: hours, limits, and how an employee can be booked."""
