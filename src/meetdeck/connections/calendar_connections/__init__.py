"""Connections to the calendars of a whole firm. Mailboxes are matched to employees and rooms by e-mail address."""
