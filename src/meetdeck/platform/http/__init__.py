"""The HTTP edge: problems, requests, responses. Only this package knows status numbers."""
