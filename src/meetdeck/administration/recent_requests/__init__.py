"""The API's requests of the last hour: written in batches, read by the API, and erased."""
