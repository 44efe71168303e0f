"""Mails that come of something else than a meeting: an offer of the waiting list, and documents."""
