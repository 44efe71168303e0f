"""Every JSON answer in the documents has an example, recorded from the product, which still answers so."""

import os
from typing import Any, Final, cast

import pytest
from jsonschema import Draft202012Validator

from meetdeck.booking.examples import COLLEAGUE, EMPLOYEE, REASSIGNING
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.platform.http.openapi.answers import read_answers
from meetdeck.platform.values import Version
from support.documents import DOCUMENTS, EACH_VERSION, Json, operations_of
from support.example_pages import Page, list_writes
from support.factories import Api
from support.meeting_documents import make_template
from support.recorded_answers import list_json_answers, list_members, make_examples, write_examples

_RECORD: Final = "MEETDECK_RECORD_ANSWERS"
"""The variable with which these tests write the examples anew."""

_OF_OTHER_SERVICES: Final = """
insert into calendar_mailbox (tenant_id, mailbox_id, connection_id, email, employee_id, near_at)
    select tenant_id, gen_random_uuid(), connection_id, email, employee_id, created_at
    from calendar_connection join employee using (tenant_id) where employee.name = 'Anna Holm';
insert into document_task (tenant_id, document_task_id, meeting_id, document_rule_id, problem, happened_at, told_at)
    select tenant_id, gen_random_uuid(), meeting_id, document_rule_id, 'The template "Annual review" does not exist.',
        now(), now()
    from meeting join document_rule using (tenant_id);
"""
"""Rows that a calendar service and the making of documents would leave: neither is part of the walk."""


@EACH_VERSION
def test_every_json_answer_has_an_example_that_its_schema_allows(document: Json) -> None:
    count = 0
    for operation_id, _, content in list_json_answers(document):
        assert "example" in content, f"{operation_id}: record its answer"
        validator: Any = Draft202012Validator(content["schema"] | {"components": document["components"]})
        assert not [
            f"{operation_id}{fault.json_path}: {fault.message}" for fault in validator.iter_errors(content["example"])
        ]
        count += 1
    assert count > 30


@pytest.mark.parametrize("version", list(Version))
async def test_the_product_answers_with_the_members_of_the_examples(
    version: Version, api: Api, database: Database
) -> None:
    answers = await collect_answers(await Page.open(api, version), database)
    document = DOCUMENTS[version]
    examples = make_examples(document, answers)
    if _RECORD in os.environ:
        write_examples(version, examples)
        return
    recorded = read_answers()[version]
    again = f"Answers have changed. Record them: {_RECORD}=1, and look at what is different"
    assert {name: sorted(list_members(one)) for name, one in examples.items()} == {
        name: sorted(list_members(one)) for name, one in recorded.items()
    }, again
    for operation_id, struct, _ in list_json_answers(document):
        answer = answers.get(operation_id)
        one: Any = cast("list[Any]", answer)[0] if isinstance(answer, list) else answer
        assert one is None or set(one) <= set(recorded[struct]), f"{operation_id}: {again}"


async def collect_answers(page: Page, database: Database) -> Json:
    """Return the JSON answers of all operations by id: those that write, in the document's order, then the others."""
    if page.version is Version.V3:
        begins, ends = REASSIGNING["from"], REASSIGNING["to"]
        booked = await page.api.book(employeeId=EMPLOYEE, startDate=begins, endDate=ends)
        assert booked.status_code == 201, booked.text
    for path, method, operation in list_writes(page.version, by_heading=False):
        await page.execute(path, method, operation)
    faulty = {"file": ("review.pptx", make_template("{{customer.name | shout}}"))}
    found = await page.api.request("POST", f"{page.version}/present/templates/validation", files=faulty)
    page.answers["validateTemplate"] = found.json()
    if page.version is Version.V3:
        await _prepare_what_is_rare(page, database)
    page.made.setdefault("timeSlotId", page.made["reserveId"])
    for wanted in ("get", "delete"):
        for path, method, operation in operations_of(DOCUMENTS[page.version]):
            if method == wanted:
                await page.execute(path, method, operation)
    return page.answers


async def _prepare_what_is_rare(page: Page, database: Database) -> None:
    """Deactivate an advisor with meetings, choose a label that is in use, and write what other services would leave."""
    colleague = f"v3/booking/config/employees/{COLLEAGUE}"
    inactive = (await page.api.get(colleague)).json() | {"active": False}
    assert (await page.api.request("PUT", colleague, json=inactive)).status_code == 200
    labels = (await page.api.get("v3/booking/config/labels")).json()["items"]
    page.made |= {"employeeIds": EMPLOYEE, "count": "booked"}
    page.made["labelId"] = next(one["id"] for one in labels if one["usageCount"])
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(_OF_OTHER_SERVICES)
