"""Measuring filled text: whether it fits its box, its table the slide, and whether a font can draw it."""
