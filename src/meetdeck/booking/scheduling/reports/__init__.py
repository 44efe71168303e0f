"""Reports: numbers of meetings, of advisors' hours, and of future free time."""
