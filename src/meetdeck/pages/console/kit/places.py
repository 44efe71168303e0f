"""The pages of the console that are not in its menu: the settings in their groups, and the actions.

The settings' first page, the lists of resources and Ctrl+K are made from them.
"""

from typing import Final, NamedTuple

from meetdeck.pages.texts import mark


class SettingsPage(NamedTuple):
    """A page of the settings: its words in English, its path below the console, and its icon."""

    title: str
    lead: str
    path: str
    icon: str
    add: str = ""
    """The words of the button that adds one; empty if nothing can be added."""
    why: str = ""
    """The sentence of an empty list: why a firm may want entries there."""

    @property
    def slug(self) -> str:
        """Return the last step of its path."""
        return self.path.rpartition("/")[2]


class SettingsGroup(NamedTuple):
    """Pages of the settings below one heading."""

    title: str
    pages: tuple[SettingsPage, ...]


class Action(NamedTuple):
    """An action: its words in English, the path of its page, and its icon."""

    title: str
    path: str
    icon: str


SETTINGS: Final = (
    SettingsGroup(
        mark("People and places"),
        (
            SettingsPage(
                mark("Employees"),
                mark("The advisors and others who take part in meetings."),
                "settings/employees",
                "users",
                mark("Add an employee"),
                mark("Customers are offered the times of these employees, within their working hours."),
            ),
            SettingsPage(
                mark("Competence groups"),
                mark("Employees, and the topics and customers for which they are offered."),
                "settings/competence-groups",
                "tags",
                mark("Add a competence group"),
                mark("With groups, a topic is offered only by the people who know it; without them, by everybody."),
            ),
            SettingsPage(
                mark("Service groups"),
                mark("Employees who are offered together, when, and with what time around their meetings."),
                "settings/service-groups",
                "user-round",
                mark("Add a service group"),
                mark("A service group gives a team its own rules: its topics, its notice, its time between meetings."),
            ),
            SettingsPage(
                mark("Rooms"),
                mark("Where people meet; a meeting in person takes a free one that seats everybody."),
                "settings/rooms",
                "building-2",
                mark("Add a room"),
                mark("With rooms, two meetings in person never get the same one."),
            ),
            SettingsPage(
                mark("Locations"),
                mark("The branches: employees and rooms are at one."),
                "settings/locations",
                "map-pin",
                mark("Add a location"),
                mark("Customers who meet you in person choose the branch that is nearest to them."),
            ),
        ),
    ),
    SettingsGroup(
        mark("Booking"),
        (
            SettingsPage(
                mark("Organization"), mark("The rules that hold for everybody."), "settings/organization", "settings"
            ),
            SettingsPage(
                mark("Meeting topics"),
                mark("What a meeting is about, and how long it takes."),
                "settings/topics",
                "message-square",
                mark("Add a meeting topic"),
                mark("The topic is the first thing that a customer chooses; it sets the length of the meeting."),
            ),
            SettingsPage(
                mark("Customer types"),
                mark("Kinds of customers, each with the advisors and topics for it."),
                "settings/customer-types",
                "user",
                mark("Add a customer type"),
                mark("With types, private and business customers get their own advisors and topics."),
            ),
            SettingsPage(
                mark("Closing days"),
                mark("Holidays and other days on which nobody is offered."),
                "settings/closing-days",
                "calendar-off",
            ),
        ),
    ),
    SettingsGroup(
        mark("Customers' pages"),
        (
            SettingsPage(
                mark("Portals"),
                mark(
                    "The pages on which customers book: what they look like, what they ask, and where they may be "
                    "shown."
                ),
                "settings/portals",
                "globe",
                mark("Add a portal"),
                mark("A portal is the page on which customers book by themselves; its address goes on your own site."),
            ),
            SettingsPage(
                mark("Languages"),
                mark("The languages of texts that customers read, and what is missing in each."),
                "settings/languages",
                "languages",
            ),
        ),
    ),
    SettingsGroup(
        mark("Messages and documents"),
        (
            SettingsPage(
                mark("Messages"),
                mark("The words of mails and text messages that are sent about meetings."),
                "settings/messages",
                "mail",
            ),
            SettingsPage(
                mark("Documents of meetings"),
                mark("The decks that are created when meetings are booked."),
                "settings/document-rules",
                "file-text",
                mark("Add a rule for documents"),
                mark("With a rule, the deck of a meeting is ready as soon as the meeting is booked."),
            ),
            SettingsPage(
                mark("Labels"),
                mark("Words by which templates, groups and portals are found, and where each is used."),
                "settings/labels",
                "tag",
            ),
        ),
    ),
    SettingsGroup(
        mark("Developers"),
        (
            SettingsPage(
                mark("Your directory"),
                mark("Entra or Okta writes employees and groups here, and keeps them up to date."),
                "settings/directory",
                "users",
            ),
            SettingsPage(
                mark("Keys and clients"),
                mark("The credentials with which your other systems call Meetdeck."),
                "settings/keys",
                "key-round",
            ),
            SettingsPage(
                mark("Recent requests"),
                mark("The API requests of the last hour, for finding out why one was refused."),
                "settings/requests",
                "arrow-down-up",
            ),
            SettingsPage(
                mark("Webhooks"),
                mark("Systems that are notified of events."),
                "settings/webhooks",
                "webhook",
                mark("Add a webhook"),
                mark("With a webhook, your other systems learn of a booking within seconds."),
            ),
        ),
    ),
)

ACTIONS: Final = (
    Action(mark("Book for a customer"), "book", "calendar-plus"),
    Action(mark("Add a customer to the waiting list"), "wishes/new", "hourglass"),
    Action(mark("Add an absence"), "absences/new", "plane"),
    Action(mark("Build a deck"), "decks", "presentation"),
    Action(mark("Upload a template"), "templates/upload", "upload"),
    *(Action(page.add, f"{page.path}/new", "plus") for group in SETTINGS for page in group.pages if page.add),
)


def find_settings_page(slug: str) -> SettingsPage | None:
    """Return the settings page whose path ends with a slug."""
    return next((page for group in SETTINGS for page in group.pages if page.slug == slug), None)
