"""Uploads of templates: validating a file, and making it a new template or the next revision of one."""
