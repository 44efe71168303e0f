"""Recipes: slides of a template that are chosen again and again, perhaps with data."""
