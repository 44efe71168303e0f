"""Changes of the API between releases, found by comparing what the OpenAPI documents promise."""
