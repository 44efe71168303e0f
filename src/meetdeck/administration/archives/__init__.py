"""Archives of rows and files of one moment, which backups and exports use (docs/export.md)."""
