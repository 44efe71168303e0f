"""Slides of other templates inserted into a template's file, before it is compiled like any other."""
