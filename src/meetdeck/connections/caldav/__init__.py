"""CalDAV (RFC 4791): the resources of a server, its people's calendars, and when its people are busy."""
