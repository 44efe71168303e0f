"""Meeting topics' addresses."""

from litestar import Controller, Response, delete, get, patch, post, put

from meetdeck.booking import examples
from meetdeck.booking.addresses import TopicId
from meetdeck.booking.directory.meeting_topics import service, store
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic, Topic, TopicsQuery
from meetdeck.booking.directory.meeting_topics.service import TOPICS
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import LanguageQuery, read_lang
from meetdeck.booking.localization.texts import choose_language
from meetdeck.platform.http.calls import CurrentCall, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values.patching import JsonPatch


class MeetingTopics(Controller):
    """Subjects of meetings."""

    tags = ("Meeting topics",)
    opt = audits(Kind.TOPIC.address)

    @get("/meeting-topics", summary="List meeting topics", **accepts(query=TopicsQuery))
    async def list_topics(self, call: CurrentCall, params: Query[TopicsQuery]) -> list[Topic]:
        """Return the topics by name: all, or those that customers may book; optionally for one customer type."""
        language = read_lang(params.lang)
        async with call.transaction() as connection:
            topics = await service.list_topics_for(connection, params)
        return call.show([choose_language(topic, language) for topic in topics])

    @get("/config/meeting-topics", summary="List all meeting topics", **accepts(query=LanguageQuery))
    async def list_config_topics(self, call: CurrentCall, params: Query[LanguageQuery]) -> list[Topic]:
        """Return the topics by name."""
        language = read_lang(params.lang)
        async with call.transaction() as connection:
            topics = await store.table.list(connection)
        return call.show([choose_language(topic, language) for topic in topics])

    @get("/config/meeting-topics/{topic_id:uuid}", summary="Read a meeting topic", **accepts(query=LanguageQuery))
    async def get_topic(self, call: CurrentCall, topic_id: TopicId, params: Query[LanguageQuery]) -> Response[Topic]:
        """Return a topic."""
        language = read_lang(params.lang)
        async with call.reading() as connection:
            topic = await TOPICS.get(connection, topic_id)
        return call.answer(choose_language(topic, language), state_of=topic)

    @post(
        "/config/meeting-topics",
        status_code=201,
        summary="Add a meeting topic",
        **accepts(body=SaveTopic, example=examples.NEW_TOPIC),
    )
    async def create_topic(self, call: CurrentCall, payload: Body[SaveTopic]) -> Response[Topic]:
        """Add a topic."""
        return await call.create(payload, Kind.TOPIC.area, TOPICS.adding(payload))

    @put(
        "/config/meeting-topics/{topic_id:uuid}",
        summary="Replace a meeting topic",
        **accepts(body=SaveTopic, example=examples.SAME_TOPIC),
    )
    async def replace_topic(self, call: CurrentCall, topic_id: TopicId, payload: Body[SaveTopic]) -> Response[Topic]:
        """Replace a topic as a whole; meetings about it stay unchanged."""
        return await call.change(TOPICS.get, topic_id, TOPICS.replacing(payload))

    @delete("/config/meeting-topics/{topic_id:uuid}", summary="Delete a meeting topic")
    async def delete_topic(self, call: CurrentCall, topic_id: TopicId) -> None:
        """Delete a topic without groups, portals and future meetings."""
        await call.delete(TOPICS.get, topic_id, TOPICS.deleting(call.now))


class MeetingTopicChanges(Controller):
    """Changes of single members of meeting topics; only in v3, not part of the contract."""

    path = "/config/meeting-topics"
    tags = ("Meeting topics",)
    opt = audits(Kind.TOPIC.address)

    @patch(
        "/{topic_id:uuid}", summary="Change a meeting topic", **accepts(patch=SaveTopic, example=examples.RENAMED_TOPIC)
    )
    async def update_topic(self, call: CurrentCall, topic_id: TopicId, payload: Body[JsonPatch]) -> Response[Topic]:
        """Change a topic by JSON Patch; meetings about it stay unchanged."""
        return await call.change(
            TOPICS.get, topic_id, lambda connection, topic: TOPICS.update(connection, topic, payload)
        )
