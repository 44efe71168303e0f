"""Compiling text: tags, blocks and formats."""
