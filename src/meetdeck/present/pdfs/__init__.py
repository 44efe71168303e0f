"""PDFs of presentations: their slides, handouts, notes pages."""
