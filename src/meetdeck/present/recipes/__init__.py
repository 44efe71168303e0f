"""Recipes: saved choices of a template's slides, perhaps with data."""
