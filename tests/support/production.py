"""The least environment with which production starts."""

import hashlib

PRODUCTION = {
    "MEETDECK_ENVIRONMENT": "production",
    "MEETDECK_ISSUER": "https://login.example",
    "MEETDECK_AUDIENCE": "meetdeck",
    "MEETDECK_ENCRYPTION_KEY": hashlib.sha256(b"a key of the tests").hexdigest(),
    "MEETDECK_DATABASE_URL": "postgresql://app:secret@db/meetdeck",
    "MEETDECK_PUBLIC_URL": "https://meetdeck.example/",
}
