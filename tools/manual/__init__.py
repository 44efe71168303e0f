"""The manual's renderer: pages of docs/ and reference pages made from the code become HTML, an index of words beside.

It runs at set-up and when a wheel is built (docs/decisions/0220); what it makes is served by meetdeck.pages.manual.
"""
