"""A small advisory firm to try, and the journey that walks through the product."""
