"""Rich text: the formats of runs and paragraphs, and their language."""
