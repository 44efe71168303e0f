"""The address at which tests move their firm's clock, an extension in v3 of the test environment."""

from litestar import Controller, Response, post

from meetdeck.administration.firm_clock.schemas import FirmClock, MoveClock
from meetdeck.administration.firm_clock.service import ClockWatch, move_clock
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import CurrentCall, SavedResource, Service, documents
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.platform.process.clock import Clock


class TestClock(Controller):
    """The time of a firm."""

    path = "/test/clock"
    tags = ("Administration",)

    @post(
        status_code=200,
        summary="Move the firm's time",
        **accepts(body=MoveClock, example={"advance": "00:06:00"}),
        **documents(repeatable=True),
    )
    async def move_test_clock(
        self, call: CurrentCall, payload: Body[MoveClock], clock: Service[Clock], clock_watch: Service[ClockWatch]
    ) -> Response[FirmClock]:
        """Move the firm's time forward, or reset it. Test environment only. Needs the elevated role."""

        async def move(connection: Connection) -> SavedResource:
            return SavedResource(
                await move_clock(connection, payload, clock()), call.uri("test", "clock"), is_new=False
            )

        answer = await call.save(payload, move)
        await clock_watch.spread()
        return answer
