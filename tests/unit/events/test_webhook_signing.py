"""Signatures of webhooks, as the specification's own library for Python verifies them."""

import base64
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook, WebhookVerificationError

from meetdeck.events.webhooks.schemas import Signature
from meetdeck.events.webhooks.service.signing import make_secret, sign
from meetdeck.platform.process import clock

BODY = '{"type":"meeting.created","data":{"title":"Årsmøde"}}'.encode()


def test_the_standards_library_verifies_a_signature_and_nothing_that_was_changed() -> None:
    secret, public_key = make_secret(Signature.V1)
    assert public_key is None
    headers = sign([secret], uuid4(), clock.now(), BODY)
    assert Webhook(secret).verify(BODY, headers)["type"] == "meeting.created"
    for changed in (headers | {"webhook-id": str(uuid4())}, headers | {"webhook-timestamp": "1700000000"}):
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(BODY, changed)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(make_secret(Signature.V1).secret).verify(BODY, headers)


def test_while_rotating_receivers_with_either_secret_verify() -> None:
    new, old = (make_secret(Signature.V1).secret for _ in range(2))
    headers = sign([new, old], uuid4(), clock.now(), BODY)
    for secret in (new, old):
        assert Webhook(secret).verify(BODY, headers)


def test_a_secret_has_256_bits_as_the_specification_writes_them() -> None:
    secrets = {make_secret(Signature.V1).secret for _ in range(20)}
    assert len(secrets) == 20
    assert all(len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32 for secret in secrets)


def test_a_key_pair_signs_so_that_its_public_key_verifies() -> None:
    secret, public_key = make_secret(Signature.V1A)
    assert secret.startswith("whsk_")
    assert public_key is not None
    event_id, now = uuid4(), clock.now()
    headers = sign([secret], event_id, now, BODY)
    version, _, signature = headers["webhook-signature"].partition(",")
    assert version == "v1a"
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    key.verify(base64.b64decode(signature), f"{event_id}.{int(now.timestamp())}.".encode() + BODY)
