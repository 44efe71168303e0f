"""Other ways to get a PDF out of LibreOffice, each as its own documentation has it."""
