"""The gallery of templates: their slides as pictures, what is found in them, their revisions, and uploads."""
