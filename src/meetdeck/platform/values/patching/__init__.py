"""JSON Patch (RFC 6902): reading it, applying it to any JSON document, and to a resource (docs/api/changes.md)."""

from meetdeck.platform.values.patching.errors import InvalidPatch, PatchTestFailed
from meetdeck.platform.values.patching.operations import JsonPatch, PatchOperation, apply_operations
from meetdeck.platform.values.patching.reading import read_patch
from meetdeck.platform.values.patching.resources import apply_patch

__all__ = [
    "InvalidPatch",
    "JsonPatch",
    "PatchOperation",
    "PatchTestFailed",
    "apply_operations",
    "apply_patch",
    "read_patch",
]
