"""Compiling the directives in alternative texts, titles and notes: a module for each, whose row is in `language`."""
