"""The SQL of webhooks and of their deliveries."""
