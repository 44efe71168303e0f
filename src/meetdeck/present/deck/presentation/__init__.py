"""Reading a presentation (.pptx): its main part, slides, lists, names, paragraphs and geometry."""
