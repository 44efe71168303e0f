"""`meetdeck rekey`: encrypts the values of earlier encryption keys with the present one (docs/decisions/0167)."""
