"""Compiling a part: its steps, the marking of a slide's own parts and of those that slides share, its plan."""
