"""Measuring filled text: whether it fits its box, whether its table fits the slide, whether a font can draw it."""
