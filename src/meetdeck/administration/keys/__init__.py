"""Subscription keys: made, rotated, revoked."""
