"""The errors of a patch."""

from meetdeck.platform.errors import Conflict, Invalid


class InvalidPatch(Invalid):
    """A patch that does not fit this resource: a path leads nowhere, or a member cannot be changed."""

    code = "invalid_patch"


class PatchTestFailed(Conflict):
    """A `test` failed: the resource is not as the caller expected."""

    code = "patch_test_failed"
