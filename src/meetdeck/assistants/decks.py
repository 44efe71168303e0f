"""The tools about decks: describe a template, build a deck."""

from typing import Any

from meetdeck.assistants.calls import FirmApi, escape
from meetdeck.assistants.schemas import BuildDeck, DescribeTemplate
from meetdeck.assistants.times import show


async def describe_template(api: FirmApi, asked: DescribeTemplate) -> dict[str, Any]:
    """Return the data that a template needs, or the names of all templates."""
    zone = await api.find_zone(asked.time_zone)
    if asked.template is None:
        templates = await api.get("present/templates")
        listed = [{"name": one["name"], "updated": show(one["updatedAt"], zone)} for one in templates]
        following = (
            "Call describe_template with the name of one." if listed else "Someone must upload a template first."
        )
        return {"templates": listed, "next": following}
    found = await api.get(f"present/templates/{escape(asked.template)}")
    return {
        "template": found["name"],
        "updated": show(found["updatedAt"], zone),
        "tags": found["tags"],
        "example": found["example"],
        "data_schema": found["dataSchema"],
        "next": "Call build_deck with `data` that fits data_schema.",
    }


async def build_deck(api: FirmApi, asked: BuildDeck) -> dict[str, Any]:
    """Fill a template, and return the address of the deck."""
    zone = await api.find_zone(asked.time_zone)
    body = {"template": asked.template, "data": asked.data}
    made = (await api.send("POST", "present/slides/generate", body)).read(dict[str, Any])
    return {
        "content_id": made["contentId"],
        "file_name": made["fileName"],
        "size": made["size"],
        "download_url": made["downloadUrl"],
        "expires": show(made["expiresAt"], zone),
        "findings": made.get("findings", []),
    }
