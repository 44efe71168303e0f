"""Templates, decks, PDFs and pictures: the presentation service."""
