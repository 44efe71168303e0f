"""The foundation of every console page: the session, the API, answers, menus and pickers."""

from meetdeck.pages.console.kit.answers import Drawing, Notice, show_notice
from meetdeck.pages.console.kit.api import Api, ApiRefusal, TaggedResource
from meetdeck.pages.console.kit.conflicts import Difference, compare
from meetdeck.pages.console.kit.controller import ConsoleController
from meetdeck.pages.console.kit.cookies import SESSION, SIGN_IN, make_cookie, read_cookies
from meetdeck.pages.console.kit.firm import (
    IdAndName,
    find_own,
    keep_id,
    list_part,
    name_employees,
    name_rooms,
    name_service_groups,
    name_topics,
    read_by_ids,
    read_day,
    read_organization,
    read_part,
    read_zone,
    show_moment,
    show_short_moment,
)
from meetdeck.pages.console.kit.lists import ListPage, count_pages, page_of, read_number, read_search
from meetdeck.pages.console.kit.localized import find_words
from meetdeck.pages.console.kit.menu import GROUPS
from meetdeck.pages.console.kit.pickers import (
    MOST_LISTED,
    SOURCES,
    Option,
    Picker,
    find_option,
    pick,
    show_value,
    suggest,
    write_address,
)
from meetdeck.pages.console.kit.places import ACTIONS, SETTINGS, SettingsGroup, SettingsPage, find_settings_page
from meetdeck.pages.console.kit.requests import (
    ConsolePage,
    CurrentForm,
    CurrentPage,
    NotSignedIn,
    RoleMissing,
    SentForm,
    find_address,
    find_language,
    require_own_form,
)
from meetdeck.pages.console.kit.roles import needs_recent_sign_in
from meetdeck.pages.console.kit.rule_pages import describe_rule, find_rule_page
from meetdeck.pages.console.kit.sessions import administration
from meetdeck.pages.console.kit.sessions.administration import LiveSession, SessionFilter
from meetdeck.pages.console.kit.sessions.claims import make_session
from meetdeck.pages.console.kit.sessions.logouts import Logouts
from meetdeck.pages.console.kit.sessions.role_checks import RoleChecks
from meetdeck.pages.console.kit.sessions.schemas import RECENT, Session, Undo
from meetdeck.pages.console.kit.sessions.secrets import SessionSecrets
from meetdeck.pages.console.kit.sessions.service import Sessions, StartedSession
from meetdeck.pages.console.kit.sources import CalendarSource, describe_source, list_sources, show_age
from meetdeck.pages.console.kit.undo import (
    ChangeNotice,
    NoticeButton,
    UndoRefused,
    offer,
    read_change_notice,
    take_back,
)
from meetdeck.pages.console.kit.ways import WAY_ICONS, WAYS
from meetdeck.web.own_api import ApiAnswer

__all__ = [
    "ACTIONS",
    "GROUPS",
    "MOST_LISTED",
    "RECENT",
    "SESSION",
    "SETTINGS",
    "SIGN_IN",
    "SOURCES",
    "WAYS",
    "WAY_ICONS",
    "Api",
    "ApiAnswer",
    "ApiRefusal",
    "CalendarSource",
    "ChangeNotice",
    "ConsoleController",
    "ConsolePage",
    "CurrentForm",
    "CurrentPage",
    "Difference",
    "Drawing",
    "IdAndName",
    "ListPage",
    "LiveSession",
    "Logouts",
    "NotSignedIn",
    "Notice",
    "NoticeButton",
    "Option",
    "Picker",
    "RoleChecks",
    "RoleMissing",
    "SentForm",
    "Session",
    "SessionFilter",
    "SessionSecrets",
    "Sessions",
    "SettingsGroup",
    "SettingsPage",
    "StartedSession",
    "TaggedResource",
    "Undo",
    "UndoRefused",
    "administration",
    "compare",
    "count_pages",
    "describe_rule",
    "describe_source",
    "find_address",
    "find_language",
    "find_option",
    "find_own",
    "find_rule_page",
    "find_settings_page",
    "find_words",
    "keep_id",
    "list_part",
    "list_sources",
    "make_cookie",
    "make_session",
    "name_employees",
    "name_rooms",
    "name_service_groups",
    "name_topics",
    "needs_recent_sign_in",
    "offer",
    "page_of",
    "pick",
    "read_by_ids",
    "read_change_notice",
    "read_cookies",
    "read_day",
    "read_number",
    "read_organization",
    "read_part",
    "read_search",
    "read_zone",
    "require_own_form",
    "show_age",
    "show_moment",
    "show_notice",
    "show_short_moment",
    "show_value",
    "suggest",
    "take_back",
    "write_address",
]
