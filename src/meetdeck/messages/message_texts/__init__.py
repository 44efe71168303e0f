"""A firm's own words for messages, and previews with them (docs/decisions/0116)."""
