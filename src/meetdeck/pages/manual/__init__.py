"""The manual of this version: pages made at set-up (tools/manual of the repository), served at `/docs` and exported."""
