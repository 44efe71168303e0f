"""Invitations, changes and cancellations: which are due, their content, and sending them (docs/decisions/0115)."""
