"""Invitations, changes and cancellations: which are due, what they say, and sending them (docs/decisions/0115)."""
