"""The words of messages that a firm chose itself, and what messages look like with them (docs/decisions/0116)."""
