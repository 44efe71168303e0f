"""Expressions in tags, blocks and directives: read once, when a template is compiled, and computed for each deck.

`{{price * amount}}`, `{{#value > 100}}`, `{{if:total >= 1000}}`, `{{items | where:"value > 100" | sum:"value"}}`. There
are no loops, no assignments, and no calls except filters.
"""
