"""The registry's addresses (contract section 4, Labels), only in v3."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, delete, get, patch, post
from litestar.params import PathParameter

from meetdeck.labels.schemas import (
    CarriersQuery,
    LabelCarrier,
    LabelPage,
    LabelRegistration,
    LabelSearchResult,
    LabelsQuery,
    LabelSuggestion,
    RegisterLabel,
    SearchLabelsQuery,
    SuggestLabelsQuery,
    UpdateLabel,
)
from meetdeck.labels.service import registry
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values import Version

_AREA = "booking/config/labels"

LabelId = Annotated[UUID, PathParameter(description="The label's `id`.")]

# The introduction of the API page.
_NEW_LABEL = {"labelName": "Home loans", "color": "#2B7A4B", "description": "For customers who buy a home."}
_OTHER_COLOR = {"color": "#7A2B4B"}


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version, below `/booking`."""
    return [Labels] if version is Version.V3 else []


class Labels(Controller):
    """The labels of templates, groups and portals."""

    path = "/config/labels"
    tags = ("Labels",)
    opt = audits("labels")

    @get(summary="List labels", **accepts(query=LabelsQuery))
    async def list_labels(self, call: CurrentCall, params: Query[LabelsQuery]) -> LabelPage:
        """Return a page of the labels, by name."""
        async with call.transaction() as connection:
            return await registry.list_labels(connection, params)

    @get("/{label_id:uuid}", summary="Read a label")
    async def get_label(self, call: CurrentCall, label_id: LabelId) -> Response[LabelRegistration]:
        """Return a label."""
        async with call.reading() as connection:
            return call.answer(await registry.get_label(connection, label_id))

    @post(status_code=201, summary="Register a label", **accepts(body=RegisterLabel, example=_NEW_LABEL))
    async def register_label(self, call: CurrentCall, payload: Body[RegisterLabel]) -> Response[LabelRegistration]:
        """Register a label before its first use; names are unique in any case of their letters."""
        return await call.create(
            payload, _AREA, lambda connection: registry.register_label(connection, payload, call.now)
        )

    @patch("/{label_id:uuid}", summary="Change a label", **accepts(body=UpdateLabel, example=_OTHER_COLOR))
    async def update_label(
        self, call: CurrentCall, label_id: LabelId, payload: Body[UpdateLabel]
    ) -> Response[LabelRegistration]:
        """Change a label's color and description by a plain object, not JSON Patch. Missing members are unchanged."""
        return await call.change(
            registry.get_label,
            label_id,
            lambda connection, label: registry.update_label(connection, label, payload, call.now),
        )

    @delete("/{label_id:uuid}", summary="Delete a label")
    async def delete_label(self, call: CurrentCall, label_id: LabelId) -> None:
        """Delete a label that no resource has."""
        await call.delete(registry.get_label, label_id, registry.delete_label)

    @get("/{label_id:uuid}/carriers", summary="List what carries a label", **accepts(query=CarriersQuery))
    async def list_label_carriers(
        self, call: CurrentCall, label_id: LabelId, params: Query[CarriersQuery]
    ) -> list[LabelCarrier]:
        """Return the templates, groups and portals that have a label, by kind and name."""
        async with call.transaction() as connection:
            return await registry.list_labelled_resources(connection, label_id, params)

    @get("/search", summary="Search labels by likeness", **accepts(query=SearchLabelsQuery))
    async def search_labels(self, call: CurrentCall, params: Query[SearchLabelsQuery]) -> list[LabelSearchResult]:
        """Return the labels with names similar to `q`, best first: typing errors and word order do not matter."""
        async with call.transaction() as connection:
            return await registry.search_labels(connection, params)

    @get("/suggest", summary="Suggest labels", **accepts(query=SuggestLabelsQuery))
    async def suggest_labels(self, call: CurrentCall, params: Query[SuggestLabelsQuery]) -> list[LabelSuggestion]:
        """Return the labels whose names begin as typed, most used first."""
        async with call.transaction() as connection:
            return await registry.suggest_labels(connection, params)
