"""Templates as advisory firms make them, of our own make, with data as their systems send it."""
