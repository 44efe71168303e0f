"""The page of subscription keys and clients."""
