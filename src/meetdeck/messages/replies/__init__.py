"""Answers to invitations, read from a mailbox: they become the status of attendees (docs/messages.md#answers)."""
