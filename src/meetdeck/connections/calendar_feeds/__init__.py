"""Calendar feeds of employees: each has an address with a secret, to which other programs can subscribe."""
