"""Sessions of staff at the console."""
