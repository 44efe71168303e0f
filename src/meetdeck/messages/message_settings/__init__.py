"""Settings of which messages a firm sends."""
