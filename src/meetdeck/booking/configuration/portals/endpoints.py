"""Portals' addresses."""

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import PortalId
from meetdeck.booking.configuration.portals.schemas import Portal, PortalContent, PortalQuery, PortalsQuery
from meetdeck.booking.configuration.portals.service import portals as service
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import read_lang
from meetdeck.booking.localization.texts import choose_language
from meetdeck.platform.http.calls import CurrentCall, Service, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.settings import Settings
from meetdeck.platform.values.patching import JsonPatch


class Portals(Controller):
    """The pages on which customers book."""

    path = "/config/portals"
    tags = ("Portals",)
    opt = audits(Kind.PORTAL.address)

    @get(summary="List portals", **accepts(query=PortalsQuery))
    async def list_portals(self, call: CurrentCall, params: Query[PortalsQuery]) -> list[Portal]:
        """Return the portals by name: all, or those with all of some labels (`labelMatch=any`: with any)."""
        language = read_lang(params.lang)
        async with call.transaction() as connection:
            found = await service.list_portals(connection, params)
        return call.show([choose_language(portal, language) for portal in found])

    @get("/{portal_id:uuid}", summary="Read a portal", **accepts(query=PortalQuery))
    async def get_portal(self, call: CurrentCall, portal_id: PortalId, params: Query[PortalQuery]) -> Response[Portal]:
        """Return a portal; with `includeHiddenFields=true` including its hidden fields."""
        language = read_lang(params.lang)
        async with call.reading() as connection:
            portal = await service.get_portal(connection, portal_id, params)
        return call.answer(choose_language(portal, language), state_of=portal)

    @post(status_code=201, summary="Create a portal", **accepts(body=PortalContent, example=examples.NEW_PORTAL))
    async def create_portal(
        self, call: CurrentCall, payload: Body[PortalContent], settings: Service[Settings]
    ) -> Response[Portal]:
        """Create a portal; only its name is required."""
        by_https = settings.environment == "production"
        return await call.create(
            payload,
            Kind.PORTAL.area,
            lambda connection: service.create_portal(connection, payload, call.now, logo_by_https=by_https),
        )

    @patch("/{portal_id:uuid}", summary="Change a portal", **accepts(patch=PortalContent, example=examples.TALLER_LOGO))
    async def update_portal(
        self, call: CurrentCall, portal_id: PortalId, payload: Body[JsonPatch], settings: Service[Settings]
    ) -> Response[Portal]:
        """Change a portal by JSON Patch; patch and answer use the portal as `includeHiddenFields=true` shows it."""
        by_https = settings.environment == "production"
        return await call.change(
            service.get_whole_portal,
            portal_id,
            lambda connection, portal: service.update_portal(
                connection, portal, payload, call.now, logo_by_https=by_https
            ),
            states=_list_states,
        )

    @delete("/{portal_id:uuid}", summary="Delete a portal")
    async def delete_portal(self, call: CurrentCall, portal_id: PortalId) -> None:
        """Delete a portal without booked future meetings."""
        await call.delete(
            service.get_whole_portal,
            portal_id,
            lambda connection, portal: service.delete_portal(connection, portal, call.now),
            states=_list_states,
        )


def _list_states(portal: Portal) -> tuple[Portal, Portal]:
    """Return the portal in both forms in which callers read it: with its hidden fields, and without."""
    return portal, portal.without_hidden_fields()
