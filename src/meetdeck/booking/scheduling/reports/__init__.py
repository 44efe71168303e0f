"""Reports: numbers of meetings, of advisors' hours, and of the free time that is to come."""
