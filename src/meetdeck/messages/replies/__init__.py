"""Replies to invitations, read from a mailbox: they set the status of attendees (docs/message-delivery.md#answers)."""
