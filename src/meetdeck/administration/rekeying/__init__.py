"""`meetdeck rekey`: what an earlier encryption key wrote is encrypted with the present one (docs/decisions/0167)."""
