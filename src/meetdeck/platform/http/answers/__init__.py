"""What is answered: files, tags, parts, and problems with their status."""
