"""Finding a customer's meetings and waiting-list entries from any page."""
