"""The OpenAPI documents, made from the handlers."""

from meetdeck.platform.http.openapi.collection import make_collection
from meetdeck.platform.http.openapi.document import ApiDocuments, Installation, describe_version
from meetdeck.platform.http.openapi.webhooks import SentEvents

__all__ = [
    "ApiDocuments",
    "Installation",
    "SentEvents",
    "describe_version",
    "make_collection",
]
