"""Delivery of mails: to a mail server, or, in the test environment, to a mailbox that a page shows."""
