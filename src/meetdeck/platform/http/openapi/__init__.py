"""The OpenAPI documents, made from the handlers."""

from meetdeck.platform.http.openapi.answers import read_answers
from meetdeck.platform.http.openapi.collection import make_collection
from meetdeck.platform.http.openapi.document import ANYWHERE, ApiDocuments, Installation, describe_version
from meetdeck.platform.http.openapi.webhooks import SentEvents

__all__ = [
    "ANYWHERE",
    "ApiDocuments",
    "Installation",
    "SentEvents",
    "describe_version",
    "make_collection",
    "read_answers",
]
