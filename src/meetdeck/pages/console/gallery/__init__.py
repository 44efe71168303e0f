"""The gallery of templates: pictures of their slides, their findings, their revisions, and uploads."""
