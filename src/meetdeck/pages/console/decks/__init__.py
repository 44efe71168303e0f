"""Building a deck: its slides are chosen by picture, their data typed into a form, and both become a file."""
