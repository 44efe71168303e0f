"""Subscription keys: created, rotated, revoked."""
