"""Building a deck: a compiled template and data in, the bytes of a presentation out. No XML is read here."""
