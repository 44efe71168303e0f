"""The rules of webhooks: which events each receives, how they are signed, when they are retried."""
