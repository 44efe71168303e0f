"""JSON Patch over HTTP: its operations, and the pointers of a refusal."""

import httpx

Operation = dict[str, object]


def add(path: str, value: object) -> Operation:
    """Return an operation (RFC 6902, section 4.1)."""
    return {"op": "add", "path": path, "value": value}


def remove(path: str) -> Operation:
    """Return an operation (RFC 6902, section 4.2)."""
    return {"op": "remove", "path": path}


def replace(path: str, value: object) -> Operation:
    """Return an operation (RFC 6902, section 4.3)."""
    return {"op": "replace", "path": path, "value": value}


def pointers(refusal: httpx.Response) -> list[str]:
    """Return the pointers of a refusal's faults."""
    return [error["pointer"] for error in refusal.json()["errors"]]
