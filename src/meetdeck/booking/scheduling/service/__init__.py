"""What scheduling decides: a module for each of its subjects."""
