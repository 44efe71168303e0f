"""What a patch is refused for."""

from meetdeck.platform.errors import Conflict, Invalid


class InvalidPatch(Invalid):
    """A patch that cannot be applied to this resource: a path leads nowhere, a member cannot be changed."""

    code = "invalid_patch"


class PatchTestFailed(Conflict):
    """A `test` found something else: the resource is not what the caller took it for."""

    code = "patch_test_failed"
