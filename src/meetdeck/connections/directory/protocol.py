"""The SCIM protocol without input and output: scim2-server's, adapted to large firms and Entra."""

from http import HTTPStatus
from typing import Any, Final, cast

from pydantic import ValidationError
from scim2_models import Context, InvalidSyntaxException, PatchOp, Resource, ResourceType
from scim2_server.handler import AsyncScimHandler
from scim2_server.requests import ScimRequest
from scim2_server.responses import ScimResponse
from scim2_server.service import ScimService, scim_exception_of
from scim2_server.utils import parametrize

from meetdeck.connections.directory.models import GROUP, PROVIDER, Group, User
from meetdeck.connections.directory.patches import GroupPatch, split_operations, take_member_changes

__all__ = ["PROTOCOL", "AsyncScimHandler", "ScimRequest", "ScimResponse"]


class DirectoryProtocol(ScimService):
    """The protocol. Resources arrive with their references, so that none is copied to be published."""

    def publish(self, base_url: str, resource: Resource[Any]) -> Resource[Any]:
        """Return a resource with its location."""
        if resource.meta is None or resource.id is None:
            raise RuntimeError("a stored resource has an id and meta")
        published = resource.model_copy()
        location = self.resource_location(base_url, self.get_resource_type_of(resource), resource.id)
        published.meta = resource.meta.model_copy(update={"location": location})
        return published

    def read_creation(self, resource_type: ResourceType, body: bytes, content_type: str | None) -> Resource[Any]:
        """Return the new resource in a body; a user is active by default."""
        return _activate(super().read_creation(resource_type, body, content_type))

    def read_replacement(self, resource_type: ResourceType, body: bytes, content_type: str | None) -> Resource[Any]:
        """Return the complete resource in a body; a user is active by default."""
        return _activate(super().read_replacement(resource_type, body, content_type))

    def read_patch(self, resource_type: ResourceType, body: bytes, content_type: str | None) -> "PatchOp[Any]":
        """Return the PATCH of a user or a group in a body. Raises SCIMException."""
        split = split_operations(self.decode_body(body, content_type))
        if resource_type.name != GROUP:
            return self._validate(self.get_model(resource_type), split)
        changes, rest = take_member_changes(split)
        patch = GroupPatch(changes, self._validate(Group, rest) if rest is not None else None)
        return cast("PatchOp[Any]", patch)  # only `patch` is called on it

    def patch_response(self, base_url: str, resource: Resource[Any], response_parameters: Any) -> ScimResponse:  # noqa: ANN401 - the library's
        """Answer a changed resource: a user completely, a group only by its ETag, since it may have many members."""
        if resource.meta is not None and resource.meta.resource_type == GROUP:
            return super().patch_response(base_url, resource, response_parameters)
        published = self.publish(base_url, resource)
        return self.resource_response(published, Context.RESOURCE_PATCH_RESPONSE, response_parameters, HTTPStatus.OK)

    def decode_body(self, body: bytes, content_type: str | None) -> Any:  # noqa: ANN401 - any JSON
        """Return a body's JSON. Raises InvalidSyntaxException, also for JSON that is nested too deeply."""
        try:
            return super().decode_body(body, content_type)
        except RecursionError:
            raise InvalidSyntaxException(detail="The body is nested too deeply.") from None

    @staticmethod
    def _validate(model: type[Resource[Any]], body: dict[str, Any]) -> "PatchOp[Any]":
        try:
            patch_of_model: Any = parametrize(PatchOp, model)
            return patch_of_model.model_validate(body, scim_ctx=Context.RESOURCE_PATCH_REQUEST)
        except ValidationError as error:
            raise scim_exception_of(error) from error


def _activate(resource: Resource[Any]) -> Resource[Any]:
    if isinstance(resource, User) and resource.active is None:
        resource.active = True
    return resource


PROTOCOL: Final = DirectoryProtocol(PROVIDER)
