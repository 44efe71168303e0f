"""Open Packaging Conventions: zip, parts, content types, relationships, read from hostile bytes."""
