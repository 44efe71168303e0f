"""Mails that are not caused by a meeting's change: offers of the waiting list, and documents."""
