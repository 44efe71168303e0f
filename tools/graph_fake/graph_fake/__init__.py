"""A stateful fake of the parts of Microsoft Graph that calendars need, for tests; see README.md."""
