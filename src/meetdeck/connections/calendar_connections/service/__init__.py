"""The rules of calendar connections: the resource, its mailboxes, and reading them."""
