"""The rules of connections: the resource, its mailboxes, and reading them."""
