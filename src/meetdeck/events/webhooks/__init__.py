"""Webhooks: events sent to the addresses of receivers, by the Standard Webhooks specification."""
