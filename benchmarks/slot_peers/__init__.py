"""The firms that benchmarks/slots.py searches, and the other ways to search them."""
