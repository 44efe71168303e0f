"""JSON Patch (RFC 6902): reading it, applying it to any JSON document, and to a resource (docs/api.md#json-patch)."""

from meetdeck.platform.patching.errors import InvalidPatch, PatchTestFailed
from meetdeck.platform.patching.operations import JsonPatch, PatchOperation, apply_operations
from meetdeck.platform.patching.reading import read_patch
from meetdeck.platform.patching.resources import apply_patch

__all__ = [
    "InvalidPatch",
    "JsonPatch",
    "PatchOperation",
    "PatchTestFailed",
    "apply_operations",
    "apply_patch",
    "read_patch",
]
