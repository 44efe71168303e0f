"""Open Packaging Conventions: zip, parts, content types, relationships; hostile bytes are met here."""
