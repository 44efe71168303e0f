"""Messages of meetings: which are due after an event, which are still due when they are sent, and their content."""
