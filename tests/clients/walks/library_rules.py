"""The rules of sending again, of tokens and of webhooks, with a service of our own that answers as it is told."""

import base64
import hmac
import json
import time
from collections.abc import Callable
from hashlib import sha256
from uuid import UUID

import httpx
from meetdeck_client import Attempt, Meetdeck, Options, Retries, webhooks
from meetdeck_client.errors import (
    Conflict,
    ConnectionFailed,
    ContentNotFound,
    InvalidSignature,
    MeetdeckError,
    NotFound,
    RateLimited,
    ServerError,
    TimeSlotTaken,
    Unauthenticated,
    Unavailable,
)
from meetdeck_client.models import BuildDeck, PatchOp, PatchOperation

Told = httpx.Response | httpx.TransportError

ID = UUID(int=7)
DECK = BuildDeck(template="T", slides=[])
LOST = httpx.ReadError("cut")
NEVER_SENT = httpx.ConnectError("nobody listens")
PATCH = [PatchOperation(op=PatchOp.REMOVE, path="/title")]

requests: list[httpx.Request] = []
attempts: list[Attempt] = []


def refuse(status: int, code: str, retry_after: str | None = None) -> httpx.Response:
    faults = [{"pointer": "/title", "detail": "Too long."}]
    problem = {"code": code, "detail": "No.", "status": status, "requestId": "r-1", "errors": faults}
    return httpx.Response(status, json=problem, headers={"Retry-After": retry_after} if retry_after else {})


def done() -> httpx.Response:
    return httpx.Response(200, content=b"PK")


def connect(*answers: Told, credentials: Options | None = None) -> Meetdeck:
    remaining = iter(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        found = next(remaining)
        if isinstance(found, httpx.TransportError):
            raise found
        return found

    requests.clear()
    attempts.clear()
    options: Options = {
        "retries": Retries(first_pause=0.001, longest_pause=0.002, longest_wait=1),
        "on_attempt": attempts.append,
        "key": "k",
    }
    options.update(credentials or {"token": "t"})
    return Meetdeck("http://x/", http_client=httpx.Client(transport=httpx.MockTransport(answer)), **options)


def expect(kind: type[MeetdeckError], call: Callable[[], object]) -> MeetdeckError:
    try:
        call()
    except MeetdeckError as error:
        found = error
    else:
        raise AssertionError(f"{kind.__name__} expected")
    assert type(found) is kind, repr(found)
    return found


# A POST is sent again, with the same key, after all that may pass; the next one has another key.
client = connect(
    LOST, NEVER_SENT, refuse(503, "busy"), refuse(429, "rate_limited", "0"), httpx.Response(502), done(), done()
)
assert client.decks.build(DECK).content == b"PK"
assert client.decks.build(DECK).content == b"PK"
*same, other = [request.headers["Idempotency-Key"] for request in requests]
assert len(same) == 6
assert len({*same}) == 1
assert other not in same
assert [attempt.number for attempt in attempts] == [1, 2, 3, 4, 5, 6, 1]
assert [attempt.pause is None for attempt in attempts] == [False] * 5 + [True] * 2
assert {request.headers["Authorization"] for request in requests} == {"Bearer t"}
assert {request.headers["Ocp-Apim-Subscription-Key"] for request in requests} == {"k"}

# It ends some time: with the last refusal, or without an answer.
error = expect(Unavailable, lambda: connect(*[refuse(503, "")] * 6).decks.build(DECK))
error = expect(ConnectionFailed, lambda: connect(*[LOST] * 6).decks.build(DECK))
assert error.__cause__ is LOST
error = expect(RateLimited, lambda: connect(refuse(429, "rate_limited", "30")).decks.build(DECK))
assert isinstance(error, RateLimited)
assert error.retry_after == 30

# The service says how long to wait.
began = time.monotonic()
connect(refuse(429, "rate_limited", "1"), done()).decks.build(DECK)
assert time.monotonic() - began >= 1

# What must not happen twice is not sent again once it was sent.
once: tuple[Callable[[Meetdeck], object], ...] = (
    lambda client: client.meetings.update(ID, PATCH),
    lambda client: client.meetings.undo_change(ID),
    lambda client: client.webhooks.test(ID),
    lambda client: client.contents.delete(ID, if_match='"1"'),
)
for call in once:
    expect(ConnectionFailed, lambda call=call: call(connect(LOST)))
    assert len(requests) == 1
    expect(ServerError, lambda call=call: call(connect(NEVER_SENT, refuse(503, "busy"), refuse(500, "internal"))))
    assert len(requests) == 3

# A lost answer said that it is deleted; without one, it never was.
connect(LOST, refuse(404, "content_not_found")).contents.delete(ID)
expect(ContentNotFound, lambda: connect(refuse(503, "busy"), refuse(404, "content_not_found")).contents.delete(ID))

# Refusals have the class of their code, else of their status.
error = expect(TimeSlotTaken, lambda: connect(refuse(409, "time_slot_taken")).decks.build(DECK))
assert isinstance(error, Conflict)
assert (error.status, error.code, error.pointers, error.request_id) == (409, "time_slot_taken", ("/title",), "r-1")
expect(Conflict, lambda: connect(refuse(409, "of_a_later_version")).decks.build(DECK))
expect(NotFound, lambda: connect(httpx.Response(404, text="<h1>a proxy's page</h1>")).decks.build(DECK))

# Tokens: fetched once, renewed in time, and once more when one is refused.
OWN: Options = {"client_id": "app", "client_secret": "s", "scope": "api"}


def token(number: int, lifetime: int = 3600) -> httpx.Response:
    return httpx.Response(200, json={"access_token": f"t{number}", "expires_in": lifetime})


client = connect(LOST, token(1), done(), done(), refuse(401, "unauthenticated"), token(2), done(), credentials=OWN)
for _ in range(3):
    client.decks.build(DECK)
assert [request.headers.get("Authorization") for request in requests if "slides" in request.url.path] == [
    "Bearer t1",
    "Bearer t1",
    "Bearer t1",
    "Bearer t2",
]
assert b"scope=api" in requests[0].content
client = connect(token(1, 1), done(), token(2), done(), credentials=OWN)
client.decks.build(DECK)
time.sleep(0.6)
client.decks.build(DECK)
assert requests[3].headers["Authorization"] == "Bearer t2"
expect(Unauthenticated, lambda: connect(refuse(401, "unauthenticated")).decks.build(DECK))
wrong = httpx.Response(401, json={"error": "invalid_client", "error_description": "Wrong secret."})
error = expect(Unauthenticated, lambda: connect(wrong, credentials=OWN).decks.build(DECK))
assert "Wrong secret." in str(error)
given = iter(["old", "new"])
connect(refuse(401, "unauthenticated"), done(), credentials={"token": lambda: next(given)}).decks.build(DECK)
assert requests[1].headers["Authorization"] == "Bearer new"

# Webhooks.
SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
EVENT = {
    "specversion": "1.0",
    "id": str(ID),
    "source": "/tenants/x",
    "type": "meeting.moved",
    "time": "2026-03-02T08:00:00Z",
    "subject": f"meetings/{ID}",
    "sequence": 2,
    "data": None,
}
BODY = json.dumps(EVENT).encode()


def sign(body: bytes, at: float) -> dict[str, str]:
    message = f"msg_1.{int(at)}.".encode() + body
    digest = hmac.new(b"0123456789abcdef0123456789abcdef", message, sha256).digest()
    signature = f"v1,AAAA v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(int(at)), "Webhook-Signature": signature}


now = time.time()
event = webhooks.verify(sign(BODY, now), BODY, ["whsec_" + base64.b64encode(b"another").decode(), SECRET])
assert event.type_ == "meeting.moved"
for headers, body, secret in (
    (sign(BODY, now), BODY + b" ", SECRET),
    (sign(BODY, now), BODY, "whsec_" + base64.b64encode(b"another").decode()),
    (sign(BODY, now - 301), BODY, SECRET),
    (sign(BODY, now + 301), BODY, SECRET),
    ({**sign(BODY, now), "Webhook-Timestamp": "soon"}, BODY, SECRET),
    ({}, BODY, SECRET),
):
    expect(InvalidSignature, lambda headers=headers, body=body, secret=secret: webhooks.verify(headers, body, secret))
print("walked: the rules")
