"""Calendar sources: which calendars an employee's busy times come from, and how old each is."""
