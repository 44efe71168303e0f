"""Compiling a template: its XML in, a program out. Runs once for each template."""
