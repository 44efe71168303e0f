"""Archives of rows and files, of one moment: what backups and exports are made of and loaded from (docs/export.md)."""
