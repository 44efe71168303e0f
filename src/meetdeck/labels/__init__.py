"""The label registry, which both services use: labels, and who carries them."""
