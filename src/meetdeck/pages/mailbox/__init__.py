"""The mailbox of the test environment: the mails that would be sent, to look at (docs/messages.md)."""
