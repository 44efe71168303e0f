"""Rich text: the look of runs and paragraphs, and the language that they say they are in."""
