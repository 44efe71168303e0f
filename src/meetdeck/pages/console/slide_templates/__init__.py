"""Slide templates as pages show them."""
