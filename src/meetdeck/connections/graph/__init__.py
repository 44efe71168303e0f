"""Microsoft Graph's calendars: free and busy times of a firm's mailboxes, and the events of its meetings."""
