"""The ways that a mail goes: to a mail server, or, in the test environment, into a mailbox that a page shows."""
