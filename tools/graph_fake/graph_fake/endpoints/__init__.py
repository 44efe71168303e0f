"""The addresses of the fake."""
