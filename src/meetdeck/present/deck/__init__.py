"""The deck engine: pure, bytes in, bytes out."""
