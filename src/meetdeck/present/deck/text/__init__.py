"""Tags and blocks in DrawingML text: paragraphs, runs, bullets."""
