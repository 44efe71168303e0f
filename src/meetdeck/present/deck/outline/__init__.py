"""What any presentation says of itself, for PDFs: its titles, speaker notes and links between slides."""
