"""Books as many meetings as it is told, through a connection that is cut again and again, from several threads."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import UUID

from meetdeck_client import Attempt, Meetdeck, Retries
from meetdeck_client.models import CreateMeeting

COUNT, CUSTOMER = int(sys.argv[1]), sys.argv[2]
HALF_AN_HOUR = timedelta(minutes=30)
FIRST = (datetime.now(UTC) + timedelta(days=30)).replace(hour=0, minute=0, second=0, microsecond=0)  # noqa: TID251

attempts: list[Attempt] = []
client = Meetdeck(
    os.environ["MEETDECK"],
    key=os.environ["MEETDECK_KEY"],
    client_id=os.environ["MEETDECK_CLIENT_ID"],
    client_secret=os.environ["MEETDECK_CLIENT_SECRET"],
    retries=Retries(most=30, first_pause=0.01, longest_pause=0.05),
    on_attempt=attempts.append,
)
employees = client.employees.list()


def book(number: int) -> UUID:
    row, column = divmod(number, len(employees))
    start = FIRST + row * HALF_AN_HOUR
    body = CreateMeeting(
        employee_id=employees[column].id, customer_id=CUSTOMER, start_date=start, end_date=start + HALF_AN_HOUR
    )
    return client.meetings.create(body).id


with ThreadPoolExecutor(4) as threads:
    ids = set(threads.map(book, range(COUNT)))
lost = sum(attempt.error is not None for attempt in attempts)
replayed = sum(attempt.replayed for attempt in attempts)
print(f"booked {len(ids)}; {lost} answers lost, {replayed} repeated by the service")
