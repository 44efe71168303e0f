"""Messages to the attendees of meetings: invitations, changes, cancellations, and the replies to them."""
