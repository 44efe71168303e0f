"""Connections to the calendars of a whole firm, whose mailboxes are matched to employees and rooms by e-mail."""
