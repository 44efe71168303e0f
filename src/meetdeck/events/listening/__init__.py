"""`meetdeck webhooks listen` and `trigger`: events of a running service, sent to an address of this machine."""
