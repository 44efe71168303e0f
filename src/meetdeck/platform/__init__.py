"""The base of both services: settings, database, storage, identity, HTTP."""
