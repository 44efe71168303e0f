"""Uploads of templates: validating a file, and making it a template or the next revision of one."""
