"""HTTP: middleware, authentication, requests, answers, problems. Only this package knows status numbers."""
