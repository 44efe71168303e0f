"""Whether filled text fits its box, its table the slide, and whether any font can draw it."""
