"""Rewriting a template from one spelling of the language into the other."""
