"""The controllers of the console."""

from typing import Final

from litestar import Controller

from meetdeck.pages.console.absences.change_endpoints import AbsenceChanges
from meetdeck.pages.console.absences.endpoints import Absences
from meetdeck.pages.console.absences.leaver_endpoints import Leavers
from meetdeck.pages.console.audit_log.endpoints import AuditLog
from meetdeck.pages.console.booking.card_endpoints import TimeCard
from meetdeck.pages.console.booking.endpoints import Booking
from meetdeck.pages.console.calendar.edit_endpoints import MeetingEditing
from meetdeck.pages.console.calendar.endpoints import Calendar
from meetdeck.pages.console.changes.endpoints import MeetingChanges
from meetdeck.pages.console.connections.calendar_endpoints import Calendars
from meetdeck.pages.console.connections.endpoints import Connections
from meetdeck.pages.console.connections.feed_endpoints import CalendarFeeds
from meetdeck.pages.console.decks.endpoints import Decks
from meetdeck.pages.console.decks.meeting_decks import MeetingDecks
from meetdeck.pages.console.decks.recipes import Recipes
from meetdeck.pages.console.directory.endpoints import DirectoryTokens
from meetdeck.pages.console.find.endpoints import Find
from meetdeck.pages.console.gallery.endpoints import Gallery
from meetdeck.pages.console.gallery.uploads import TemplateUploads
from meetdeck.pages.console.hours.endpoints import Hours
from meetdeck.pages.console.keys.endpoints import Keys
from meetdeck.pages.console.keys.request_endpoints import RecentRequests
from meetdeck.pages.console.labels.endpoints import Labels
from meetdeck.pages.console.overview.endpoints import Overview
from meetdeck.pages.console.reports.counted_meetings import CountedMeetings
from meetdeck.pages.console.reports.endpoints import Reports
from meetdeck.pages.console.reports.forecast import Forecasts
from meetdeck.pages.console.reports.times import ForecastTimes
from meetdeck.pages.console.settings.closing_days import ClosingDays
from meetdeck.pages.console.settings.endpoints import Settings
from meetdeck.pages.console.settings.languages import LanguagePages
from meetdeck.pages.console.settings.messages import Messages
from meetdeck.pages.console.settings.organization import Organization
from meetdeck.pages.console.settings.pictures import PicturesOfEmployees
from meetdeck.pages.console.sign_in.endpoints import ConsoleSignIn
from meetdeck.pages.console.suggestions.endpoints import Suggestions
from meetdeck.pages.console.webhooks.endpoints import Webhooks
from meetdeck.pages.console.wishes.endpoints import Wishes

CONTROLLERS: Final[list[type[Controller]]] = [
    ConsoleSignIn,
    Overview,
    Absences,
    AbsenceChanges,
    Leavers,
    AuditLog,
    Booking,
    Calendar,
    CalendarFeeds,
    Calendars,
    Connections,
    Decks,
    DirectoryTokens,
    Gallery,
    Find,
    Forecasts,
    ForecastTimes,
    Hours,
    Keys,
    Labels,
    MeetingChanges,
    MeetingDecks,
    MeetingEditing,
    LanguagePages,
    Messages,
    Organization,
    PicturesOfEmployees,
    ClosingDays,
    Recipes,
    CountedMeetings,
    RecentRequests,
    Reports,
    Settings,
    Suggestions,
    TemplateUploads,
    TimeCard,
    Webhooks,
    Wishes,
]
"""The controllers of every part of the console; the menu is in `menu.py`."""
