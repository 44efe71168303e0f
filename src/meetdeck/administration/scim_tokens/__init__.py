"""SCIM tokens, with which a firm's directory writes its people and groups: created, listed, revoked."""
