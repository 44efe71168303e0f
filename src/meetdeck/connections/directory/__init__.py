"""SCIM 2.0 (RFC 7643, RFC 7644): a firm's directory provisions its people and their skills (docs/directory.md)."""
