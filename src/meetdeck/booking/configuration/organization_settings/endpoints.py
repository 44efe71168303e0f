"""The organization settings' addresses."""

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import SettingId
from meetdeck.booking.configuration.organization_settings import service
from meetdeck.booking.configuration.organization_settings.schemas import (
    ClosingDaysQuery,
    OrganizationSetting,
    OrganizationSettingContent,
)
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import LanguageQuery, read_lang
from meetdeck.booking.localization.texts import choose_language
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values.patching import JsonPatch


class OrganizationSettings(Controller):
    """The organization's opening hours, closing days, limits and time zone."""

    path = "/config/organization-settings"
    tags = ("Organization settings",)
    opt = audits(Kind.ORGANIZATION_SETTING.address)

    @get(summary="Read the organization's settings", **accepts(query=LanguageQuery))
    async def get_organization_setting(
        self, call: CurrentCall, params: Query[LanguageQuery]
    ) -> Response[OrganizationSetting]:
        """Return the settings; the defaults while nothing has been set."""
        language = read_lang(params.lang)
        setting = await call.run(service.get_setting)
        return call.answer(choose_language(setting, language), state_of=setting)

    @patch(
        "/{setting_id:uuid}",
        summary="Change the organization's settings",
        **accepts(patch=OrganizationSettingContent, example=examples.NAMED_CALENDARS),
    )
    async def update_organization_setting(
        self, call: CurrentCall, setting_id: SettingId, payload: Body[JsonPatch]
    ) -> Response[OrganizationSetting]:
        """Change the settings by JSON Patch, the time zone by `timeZoneId` or `timeZone`; searches use them at once."""
        return await call.change(
            service.get_setting_by_id,
            setting_id,
            lambda connection, setting: service.update_setting(connection, setting, payload),
        )

    @delete("/{setting_id:uuid}", summary="Delete the organization's settings")
    async def delete_organization_setting(self, call: CurrentCall, setting_id: SettingId) -> None:
        """Delete the settings: the defaults apply again. Needs the elevated role."""
        await call.delete(service.get_setting_by_id, setting_id, service.delete_setting)

    @post(
        "/{setting_id:uuid}/closing-days",
        status_code=200,
        summary="Add closing days",
        **accepts(query=ClosingDaysQuery),
    )
    async def add_closing_days(
        self, call: CurrentCall, setting_id: SettingId, params: Query[ClosingDaysQuery]
    ) -> Response[OrganizationSetting]:
        """Add days on which nobody is offered; days that are already closed stay closed."""
        return await call.change(
            service.get_setting_by_id,
            setting_id,
            lambda connection, setting: service.add_closing_days(connection, setting, params.closing_days),
        )

    @delete("/{setting_id:uuid}/closing-days", summary="Remove closing days", **accepts(query=ClosingDaysQuery))
    async def remove_closing_days(
        self, call: CurrentCall, setting_id: SettingId, params: Query[ClosingDaysQuery]
    ) -> None:
        """Remove closing days; other days are ignored."""
        await call.run_matched(
            service.get_setting_by_id,
            setting_id,
            lambda connection, setting: service.remove_closing_days(connection, setting, params.closing_days),
        )
