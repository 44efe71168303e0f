"""The outline of any presentation, for PDFs: its titles, speaker notes and links between slides."""
