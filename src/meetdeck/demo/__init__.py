"""A small advisory firm to look at, and the journey that walks through the product."""
