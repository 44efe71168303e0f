"""Webhooks: events sent to receivers' addresses, by the Standard Webhooks specification."""
