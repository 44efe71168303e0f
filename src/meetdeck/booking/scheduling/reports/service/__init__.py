"""The counting of reports: meetings, hours, free time."""
