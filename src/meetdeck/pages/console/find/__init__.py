"""Finding a customer's meetings and wishes from any page."""
