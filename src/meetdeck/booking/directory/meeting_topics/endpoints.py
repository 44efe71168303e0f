"""Meeting topics' addresses."""

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency

from meetdeck.booking import examples
from meetdeck.booking.addresses import TopicId
from meetdeck.booking.directory.meeting_topics import service
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic, Topic, TopicsQuery
from meetdeck.platform.db import Connection
from meetdeck.platform.http.call import GivenCall, Saved
from meetdeck.platform.http.requests import accepts


class MeetingTopics(Controller):
    """What meetings can be about."""

    tags = ("Meeting topics",)

    @get("/meeting-topics", summary="List meeting topics", **accepts(query=TopicsQuery))
    async def list_topics(self, call: GivenCall, asked: NamedDependency[TopicsQuery]) -> list[Topic]:
        """Return the topics by name: all, or those that customers may book; for one customer type, when asked."""
        async with call.transaction() as connection:
            return await service.list_topics_for(connection, asked)

    @get("/config/meeting-topics", summary="List all meeting topics")
    async def list_config_topics(self, call: GivenCall) -> list[Topic]:
        """Return the topics by name."""
        async with call.transaction() as connection:
            return await service.list_topics(connection)

    @get("/config/meeting-topics/{topic_id:uuid}", summary="Read a meeting topic")
    async def get_topic(self, call: GivenCall, topic_id: TopicId) -> Response[Topic]:
        """Return a topic."""
        async with call.transaction() as connection:
            return call.answer(await service.get_topic(connection, topic_id))

    @post(
        "/config/meeting-topics",
        status_code=201,
        summary="Add a meeting topic",
        **accepts(body=SaveTopic, example=examples.NEW_TOPIC),
    )
    async def create_topic(self, call: GivenCall, sent: NamedDependency[SaveTopic]) -> Response[Topic]:
        """Add a topic."""

        async def add(connection: Connection) -> Saved:
            topic = await service.add_topic(connection, sent)
            return Saved(topic, call.uri("booking/config/meeting-topics", topic.id))

        return await call.create(sent, add)

    @put(
        "/config/meeting-topics/{topic_id:uuid}",
        summary="Replace a meeting topic",
        **accepts(body=SaveTopic, example=examples.SAME_TOPIC),
    )
    async def replace_topic(
        self, call: GivenCall, topic_id: TopicId, sent: NamedDependency[SaveTopic]
    ) -> Response[Topic]:
        """Let a topic be as sent, whole; meetings about it stay as they are."""

        async def replace(connection: Connection) -> Topic:
            current = await service.get_topic(connection, topic_id, for_update=True)
            call.require_match(current)
            return await service.replace_topic(connection, current, sent)

        return call.answer(await call.run(replace))

    @delete("/config/meeting-topics/{topic_id:uuid}", summary="Delete a meeting topic")
    async def delete_topic(self, call: GivenCall, topic_id: TopicId) -> None:
        """Delete a topic that no group, portal or meeting to come is about."""

        async def delete_unused(connection: Connection) -> None:
            current = await service.get_topic(connection, topic_id, for_update=True)
            call.require_match(current)
            await service.delete_topic(connection, current, call.now)

        await call.run(delete_unused)
