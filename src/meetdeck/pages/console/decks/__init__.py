"""Building a deck: slides are chosen by picture, their data is typed into a form, and both become a file."""
