"""Messages of meetings: what is due after an event, what is still due when it is sent, and what it says."""
