"""The OpenAPI documents, made from the handlers."""
