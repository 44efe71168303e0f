"""What every page of the console stands on: the session, the API, answers, menus, pickers."""

from meetdeck.pages.console.kit.answers import Drawing, Notice, show_notice
from meetdeck.pages.console.kit.api import Api, ApiAnswer, Refused
from meetdeck.pages.console.kit.conflicts import Difference, compare
from meetdeck.pages.console.kit.controller import ConsoleController
from meetdeck.pages.console.kit.cookies import SESSION, SIGN_IN, make_cookie, read_cookies
from meetdeck.pages.console.kit.firm import (
    Named,
    find_own,
    keep_id,
    list_part,
    name_employees,
    name_rooms,
    name_topics,
    read_by_ids,
    read_day,
    read_part,
    read_zone,
    show_moment,
)
from meetdeck.pages.console.kit.lists import Part, count_pages, cut, read_number, read_search
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
from meetdeck.pages.console.kit.requests import (
    ConsolePage,
    CurrentForm,
    CurrentPage,
    NotSignedIn,
    SentForm,
    find_address,
    find_language,
    require_own_form,
)
from meetdeck.pages.console.kit.roles import needs_recent_sign_in
from meetdeck.pages.console.kit.rule_pages import find_rule_page, say_rule
from meetdeck.pages.console.kit.sessions import administration
from meetdeck.pages.console.kit.sessions.administration import Choice, LiveSession
from meetdeck.pages.console.kit.sessions.claims import make_session
from meetdeck.pages.console.kit.sessions.logouts import Logouts
from meetdeck.pages.console.kit.sessions.role_checks import RoleChecks
from meetdeck.pages.console.kit.sessions.schemas import RECENT, Session, Undo
from meetdeck.pages.console.kit.sessions.secrets import SessionSecrets
from meetdeck.pages.console.kit.sessions.service import Begun, Sessions
from meetdeck.pages.console.kit.undo import Done, NotUndone, offer, take_back, tell

__all__ = [
    "MOST_LISTED",
    "RECENT",
    "SESSION",
    "SIGN_IN",
    "SOURCES",
    "Api",
    "ApiAnswer",
    "Begun",
    "Choice",
    "ConsoleController",
    "ConsolePage",
    "CurrentForm",
    "CurrentPage",
    "Difference",
    "Done",
    "Drawing",
    "LiveSession",
    "Logouts",
    "Named",
    "NotSignedIn",
    "NotUndone",
    "Notice",
    "Option",
    "Part",
    "Picker",
    "Refused",
    "RoleChecks",
    "SentForm",
    "Session",
    "SessionSecrets",
    "Sessions",
    "Undo",
    "administration",
    "compare",
    "count_pages",
    "cut",
    "find_address",
    "find_language",
    "find_option",
    "find_own",
    "find_rule_page",
    "keep_id",
    "list_part",
    "make_cookie",
    "make_session",
    "name_employees",
    "name_rooms",
    "name_topics",
    "needs_recent_sign_in",
    "offer",
    "pick",
    "read_by_ids",
    "read_cookies",
    "read_day",
    "read_number",
    "read_part",
    "read_search",
    "read_zone",
    "require_own_form",
    "say_rule",
    "show_moment",
    "show_notice",
    "show_value",
    "suggest",
    "take_back",
    "tell",
    "write_address",
]
