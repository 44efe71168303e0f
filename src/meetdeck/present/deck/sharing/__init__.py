"""Slides of other templates put into a template, file by file, before it is compiled like any other."""
