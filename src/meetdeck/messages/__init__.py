"""Messages to the people of meetings: invitations, changes, cancellations, and what is answered to them."""
