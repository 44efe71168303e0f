"""Texts in several languages: the organization's languages, members called `localized…`, reading and writing them.

The rules: docs/api/translations.md.
"""
