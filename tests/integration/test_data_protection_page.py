"""docs/data-protection.md names every table that holds personal data."""

import re
from pathlib import Path

from meetdeck.platform.database import Connection

PAGE = (Path(__file__).parents[2] / "docs/personal-data.md").read_text(encoding="utf-8")

WITHOUT_PERSONAL_DATA = {
    "alembic_version",
    "backup_success",
    "sending_hold",
    "competence_group",
    "competence_group_customer_type",
    "competence_group_label",
    "competence_group_parent",
    "competence_group_topic",
    "console_logout",
    "customer_type",
    "document_rule",
    "label",
    "lease",
    "moved_clock",
    "search_change",
    "event_feed",
    "job",
    "event_subscriber",
    "location",
    "meeting_topic",
    "meeting_topic_customer_type",
    "message_setting",
    "oauth_session",
    "oauth_used_code",
    "portal",
    "portal_field",
    "portal_label",
    "service_group_competence_group",
    "service_group_customer_type",
    "service_group_label",
    "service_group_topic",
    "calendar_connection",
    "scim_token",
    "subscription_key",
    "template_label",
    "template_use",
    "tenant",
    "tenant_usage",
    "webhook",
    "webhook_secret",
}

# What columns are called that hold something of a person, or a text that may.
PERSONAL = re.compile(
    r"(^|_)(customer_id|crm_id|cpr_encrypted|email|phone|initials|first_name|last_name|user_name|external_id|user_id"
    r"|owner_id|created_by|attendees|custom_fields|changes|body|file_name|employee_id|video_link)(_|$)"
)


async def test_every_table_is_on_the_page_or_has_no_personal_data(owner: Connection) -> None:
    tables = {
        row["tablename"] for row in await owner.fetch("select tablename from pg_tables where schemaname='public'")
    }
    named = set(re.findall(r"`(\w+)`", PAGE.partition("## Tables of the database")[2].partition("## Everywhere")[0]))
    assert tables - named == WITHOUT_PERSONAL_DATA, "name a new table on the page, or here if it has no personal data"


async def test_what_is_said_to_have_no_personal_data_has_no_such_column(owner: Connection) -> None:
    columns = await owner.fetch(
        "select table_name, column_name from information_schema.columns where table_schema='public'"
    )
    found = {
        f"{row['table_name']}.{row['column_name']}"
        for row in columns
        if row["table_name"] in WITHOUT_PERSONAL_DATA and PERSONAL.search(row["column_name"])
    }
    assert found == {
        "calendar_connection.user_name",  # the account of this installation at a server
        "portal.confirm_email",  # whether a portal asks
    }
