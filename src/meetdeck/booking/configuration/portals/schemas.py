"""Portals, where customers book, and the fields that they fill in there (docs/api.md#portals)."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, field
from msgspec.structs import replace

from meetdeck.booking.localization.languages import LanguageQuery
from meetdeck.booking.localization.texts import (
    GivenListTranslations,
    GivenTranslations,
    ListTranslations,
    Translations,
)
from meetdeck.booking.texts import Line, Name, Text
from meetdeck.labels.schemas import Color, LabelMatch
from meetdeck.platform.values import AnyCase, SinceV3

LONGEST_PATTERN = 1_000
LONGEST_ADDRESS = 63
ADDRESS_PATTERN = "^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$"
MOST_EMBED_HOSTS = 50


class AuthenticationType(AnyCase):
    """The way in which customers identify themselves."""

    IDENTITY_PROVIDER = "IdentityProvider"
    NATIONAL_ID = "NationalId"
    ANONYMOUS = "Anonymous"
    """Nobody is asked who they are; ours."""


class PageLanguage(AnyCase):
    """A language that the pages speak."""

    ENGLISH = "en"
    DANISH = "da"
    GERMAN = "de"


class FieldType(AnyCase):
    """The kind of value that is filled in."""

    TEXT = "Text"
    PHONE = "Phone"
    EMAIL = "Email"
    CHECKBOX = "Checkbox"
    DROPDOWN = "Dropdown"


class FieldValidation(msgspec.Struct, frozen=True):
    """The rule for an answer: it is required, and matched by the pattern as a whole."""

    required: bool = False
    """Whether there must be an answer; of a checkbox, whether it must be ticked."""
    pattern: Annotated[str, Meta(max_length=LONGEST_PATTERN, description="RE2 syntax.")] | None = None


class PortalField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a portal; a meeting's `customFields` name it by its `name`."""

    id: UUID
    """The field's id; it stays with the field."""
    name: str
    """The name by which a meeting's `customFields` mean it; unique in the portal."""
    label: str
    """The text that people see."""
    type: FieldType
    """The kind of value that is filled in."""
    placeholder: str
    """The text in the empty field."""
    hidden: bool
    """Whether it is left out for customers; hidden fields may be answered, and need not."""
    validation: FieldValidation
    """The rules that an answer must meet."""
    options: list[str] = []
    """What a Dropdown offers, in its order; empty: any line that the pattern takes."""
    order: int = 0
    """Its place on pages: the lower comes first; ours."""
    description: str = ""
    """The text below the field; ours."""
    default_value: str = field(name="defaultValue", default="")
    """What the field holds before anybody answers; ours."""
    localized_label: SinceV3[Translations] = field(name="localizedLabel", default=UNSET)
    """The label by language; ours."""
    localized_placeholder: SinceV3[Translations] = field(name="localizedPlaceholder", default=UNSET)
    """The placeholder by language; ours."""
    localized_description: SinceV3[Translations] = field(name="localizedDescription", default=UNSET)
    """The description by language; ours."""
    localized_options: SinceV3[ListTranslations] = field(name="localizedOptions", default=UNSET)
    """The options by language, in the same order; an answer is always one of `options`; ours."""

    @property
    def needs_answer(self) -> bool:
        """Return whether a meeting must have an answer: hidden fields never need one."""
        return self.validation.required and not self.hidden


class Portal(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A page on which customers book: how it looks, what it asks, and what it is for."""

    id: UUID
    """The portal's id; it never changes."""
    name: str
    """The name, as customers see it."""
    location: str
    """Where meetings of the portal are: a location's name; empty: anywhere."""
    fields: list[PortalField]
    """The fields that customers fill in."""
    logo_url: str
    """Where the logo is, http or https; empty: none."""
    logo_height: int | None
    """The logo's height in pixels; null: its own."""
    styling: str
    """CSS, kept as it is."""
    authentication_type: AuthenticationType
    """The way in which customers identify themselves."""
    customer_type_id: UUID | None
    """For which customer type it is; null: for all."""
    topic_id: UUID | None
    """The topic of its meetings; null: the customer chooses."""
    crm_mapping_configuration_id: UUID | None
    """For your CRM: kept, and given back."""
    ical_enabled: bool
    """Whether customers are given a calendar file."""
    labels: list[str]
    """The labels that it carries."""
    address: str | None
    """The name of its page, `/p/{address}`; null: the page is at `/p/{id}` alone; ours."""
    languages: list[PageLanguage]
    """The languages in which its page is offered; ours."""
    embed_hosts: list[str]
    """The hosts whose pages may show it in a frame; empty: none may; ours."""
    brand_color: str | None
    """The color of its page, `#RRGGBB`; null: Meetdeck's; ours."""
    confirm_email: bool = False
    """Whether a customer who does not sign in confirms the e-mail address before the meeting is booked; ours."""
    localized_name: SinceV3[Translations] = UNSET
    """The name by language; ours."""

    def without_hidden_fields(self) -> "Portal":
        """Return the portal without its hidden fields."""
        return replace(self, fields=[one for one in self.fields if not one.hidden])


class PortalQuery(LanguageQuery, frozen=True, rename="camel", kw_only=True):
    """GET of a portal."""

    include_hidden_fields: Annotated[bool, Meta(description="true: also the fields that are hidden.")] = False


class PreviewStep(AnyCase):
    """A page of a portal that can be drawn before the portal is saved."""

    START = "Start"
    """The first page on which a customer chooses something."""
    DETAILS = "Details"
    """The form with the portal's fields, for a time that is made up."""


class PreviewQuery(msgspec.Struct, frozen=True, kw_only=True):
    """POST of a portal that is to be drawn."""

    step: Annotated[PreviewStep, Meta(description="Which page is drawn.")] = PreviewStep.START
    language: Annotated[
        PageLanguage | None, Meta(description="The language that is drawn, if the portal offers it.")
    ] = None


class PortalPreview(msgspec.Struct, frozen=True):
    """A page of a portal as it would be: a document with its style sheets in it, in which nothing can be pressed."""

    html: str
    """The page."""
    policy: str
    """The Content-Security-Policy to show it under; it lets nothing run, and only the logo's host be asked."""


class PortalsQuery(PortalQuery, frozen=True, rename="camel", kw_only=True):
    """GET of the list: those that carry all of the labels, or any."""

    labels: Annotated[list[str], Meta(description="Only what carries these labels, in any case of their letters.")] = (
        field(default_factory=list)
    )
    label_match: Annotated[LabelMatch, Meta(description="All of the labels, or any of them.")] = LabelMatch.ALL


class GivenField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a portal. It keeps the id that it has there; any other is not taken: new fields get one."""

    id: UUID | None = None
    """The id that the field has already; new fields get one."""
    name: Name
    """The name by which a meeting's `customFields` mean it; unique in the portal."""
    label: Line = ""
    """The text that people see."""
    type: FieldType = FieldType.TEXT
    """The kind of value that is filled in."""
    placeholder: Line = ""
    """The text in the empty field."""
    hidden: bool = False
    """Whether it is left out for customers; hidden fields may be answered, and need not."""
    validation: FieldValidation = FieldValidation()
    """The rules that an answer must meet."""
    options: Annotated[list[Name], Meta(max_length=1_000)] = []
    """What a Dropdown offers, in its order, each once; empty: any line that the pattern takes."""
    order: Annotated[int, Meta(ge=-(2**31), lt=2**31)] = 0
    """Its place on pages: the lower comes first; ours."""
    description: Text = ""
    """The text below the field; ours."""
    default_value: Text = field(name="defaultValue", default="")
    """What the field holds before anybody answers: an answer that the field takes; ours."""
    localized_label: SinceV3[GivenTranslations] = field(name="localizedLabel", default=UNSET)
    """The label by language; ours."""
    localized_placeholder: SinceV3[GivenTranslations] = field(name="localizedPlaceholder", default=UNSET)
    """The placeholder by language; ours."""
    localized_description: SinceV3[GivenTranslations] = field(name="localizedDescription", default=UNSET)
    """The description by language; ours."""
    localized_options: SinceV3[GivenListTranslations] = field(name="localizedOptions", default=UNSET)
    """The options by language, as many as `options`, in the same order; ours."""


class PortalContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of a portal."""

    name: Name
    """The name, as customers see it."""
    location: Line = ""
    """Where meetings of the portal are: a location's name; empty: anywhere."""
    fields: Annotated[list[GivenField], Meta(max_length=200)] = []
    """The fields that customers fill in."""
    logo_url: Annotated[
        str, Meta(max_length=2_000, description="https, in the test environment also http; or empty.")
    ] = ""
    logo_height: Annotated[int, Meta(ge=1, le=2_000, description="In pixels.")] | None = None
    styling: Annotated[
        str,
        Meta(
            max_length=100_000,
            description="CSS, kept as it is: without imports, and with addresses on the logo's host alone.",
        ),
    ] = ""
    authentication_type: AuthenticationType = AuthenticationType.IDENTITY_PROVIDER
    """The way in which customers identify themselves."""
    customer_type_id: UUID | None = None
    """For which customer type it is; null: for all."""
    topic_id: UUID | None = None
    """The topic of its meetings; null: the customer chooses."""
    crm_mapping_configuration_id: UUID | None = None
    """For your CRM: kept, and given back."""
    ical_enabled: bool = True
    """Whether customers are given a calendar file."""
    labels: list[str] = []
    """The labels that it carries; those that are new are registered."""
    address: (
        Annotated[
            str,
            Meta(
                description="Lower-case letters, digits and, between them, hyphens; not the form of a UUID. No other "
                "portal of the installation has it.",
                extra_json_schema={"pattern": ADDRESS_PATTERN, "minLength": 1, "maxLength": LONGEST_ADDRESS},
                examples=["nordlys"],
            ),
        ]
        | None
    ) = None
    """The name of its page, `/p/{address}`; null: the page is at `/p/{id}` alone; ours."""
    languages: Annotated[list[PageLanguage], Meta(min_length=1, max_length=50)] = field(
        default_factory=lambda: [PageLanguage.ENGLISH, PageLanguage.DANISH]
    )
    """The languages in which its page is offered: all, when left out; ours."""
    embed_hosts: Annotated[
        list[str],
        Meta(
            max_length=MOST_EMBED_HOSTS,
            description="Each `host` or `host:port`, without scheme, path or wildcard.",
            examples=[["www.nordlys.example"]],
        ),
    ] = []
    """The hosts whose pages may show it in a frame, each once; empty: none may; ours."""
    brand_color: Color | None = None
    """The color of its page, which text on white must be readable in; null: Meetdeck's; ours."""
    confirm_email: bool = False
    """Whether a customer who does not sign in confirms the e-mail address before the meeting is booked; the time is
    held meanwhile. It has no effect where customers sign in; ours."""
    localized_name: SinceV3[GivenTranslations] = UNSET
    """The name by language; ours."""
