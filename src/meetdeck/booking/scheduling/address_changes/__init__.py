"""Changes of a customer's e-mail address by a meeting's link, confirmed from the old address."""
