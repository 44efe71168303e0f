"""CalDAV (RFC 4791): resources of a server, the mailboxes of its people, and when these are busy."""
