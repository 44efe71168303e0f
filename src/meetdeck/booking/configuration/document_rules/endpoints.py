"""Document rules' addresses."""

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.booking import examples
from meetdeck.booking.addresses import DocumentRuleId
from meetdeck.booking.configuration.document_rules import service, store
from meetdeck.booking.configuration.document_rules.schemas import (
    DocumentRule,
    DocumentRuleContent,
    DocumentRuleWithSecret,
    DocumentSecret,
)
from meetdeck.booking.configuration.document_rules.service import DocumentRules
from meetdeck.booking.kinds import Kind
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import Call, CurrentCall, SavedResource, Service, audits
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.platform.identity import DATA_SERVICE
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts
from meetdeck.platform.values.patching import JsonPatch


class DocumentRulesOfMeetings(Controller):
    """The decks that are created for meetings, each with its PDF."""

    path = "/config/document-rules"
    tags = ("Document rules",)
    opt = audits(Kind.DOCUMENT_RULE.address)

    @get(summary="List document rules")
    async def list_document_rules(self, call: CurrentCall) -> list[DocumentRule]:
        """Return the rules in the order of their creation."""
        async with call.transaction() as connection:
            return await store.table.list(connection)

    @get("/{document_rule_id:uuid}", summary="Read a document rule")
    async def get_document_rule(self, call: CurrentCall, document_rule_id: DocumentRuleId) -> Response[DocumentRule]:
        """Return a rule, without its secret."""
        async with call.reading() as connection:
            return call.answer(await service.get_rule(connection, document_rule_id))

    @post(
        status_code=201,
        summary="Create a document rule",
        **accepts(body=DocumentRuleContent, example=examples.NEW_DOCUMENT_RULE),
    )
    async def create_document_rule(
        self,
        call: CurrentCall,
        payload: Body[DocumentRuleContent],
        document_rules: Service[DocumentRules],
        outgoing: Service[OutgoingClient],
    ) -> Response[DocumentRuleWithSecret]:
        """Create a rule, by which decks are created for meetings: the next 1,000 booked ones, and later ones.

        The answer has the secret that signs requests to `dataUrl`; no other answer does. `dataUrl`, to which meetings
        are sent, needs the elevated role (403 `role_missing`).
        """
        await _require_data_service(call, outgoing, None, payload.data_url)
        return await call.create(
            payload,
            Kind.DOCUMENT_RULE.area,
            lambda connection: document_rules.create(connection, call.principal.tenant_id, payload, call.now),
            shown=DocumentRuleWithSecret.without_secret,
            sealed=True,
        )

    @patch(
        "/{document_rule_id:uuid}",
        summary="Change a document rule",
        **accepts(patch=DocumentRuleContent, example=examples.EARLIER_DOCUMENTS),
    )
    async def update_document_rule(
        self,
        call: CurrentCall,
        document_rule_id: DocumentRuleId,
        payload: Body[JsonPatch],
        document_rules: Service[DocumentRules],
        outgoing: Service[OutgoingClient],
    ) -> Response[DocumentRule]:
        """Change a rule by JSON Patch. Decks are created again for the next 1,000 meetings that it applies to.

        Changing `dataUrl`, to which meetings are sent, needs the elevated role (403 `role_missing`).
        """
        async with call.reading() as connection:
            before = await service.get_rule(connection, document_rule_id)
        await _require_data_service(call, outgoing, before.data_url, service.patch_rule(before, payload).data_url)

        async def change(connection: Connection, rule: DocumentRule) -> DocumentRule:
            content = service.patch_rule(rule, payload)
            _require_permitted(call, rule.data_url, content.data_url)
            return await document_rules.update(connection, rule, content)

        return await call.change(service.get_rule, document_rule_id, change)

    @delete("/{document_rule_id:uuid}", summary="Delete a document rule")
    async def delete_document_rule(self, call: CurrentCall, document_rule_id: DocumentRuleId) -> None:
        """Delete a rule; its documents stay with their meetings until these change."""
        await call.delete(
            service.get_rule, document_rule_id, lambda connection, rule: store.table.delete(connection, rule.id)
        )


class DocumentSecrets(Controller):
    """The secrets that sign requests to data services."""

    path = "/config/document-rules"
    tags = ("Document rules",)

    @post("/{document_rule_id:uuid}/secrets", status_code=201, summary="Replace a document rule's secret")
    async def create_document_secret(
        self, call: CurrentCall, document_rule_id: DocumentRuleId, document_rules: Service[DocumentRules]
    ) -> Response[DocumentSecret]:
        """Give a rule a new secret, answered only once. For 24 hours requests are signed with both.

        For a rule with a `dataUrl` it needs the elevated role: the secret allows calling the data service.
        """

        async def rotate(connection: Connection) -> SavedResource:
            rule = await service.get_rule(connection, document_rule_id, for_update=True)
            if rule.data_url is not None:
                call.require_access(DATA_SERVICE)
            secret = await document_rules.rotate(connection, call.principal.tenant_id, rule, call.now)
            await call.audit(connection, service.describe_rotation(rule))
            return SavedResource(secret, call.uri(Kind.DOCUMENT_RULE.area, rule.id))

        return await call.save(None, rotate, sealed=True)


async def _require_data_service(call: Call, outgoing: OutgoingClient, before: str | None, after: str | None) -> None:
    """Check the new data service of a rule; looks its name up, so outside of transactions.

    Raises AddressNotAllowed, RoleMissing.
    """
    if after == before:
        return
    service.require_well_formed(outgoing, after)
    _require_permitted(call, before, after)
    async with call.reading() as connection:
        hosts = await find_outgoing_hosts(connection)
    await service.require_reachable(outgoing, after, hosts)


def _require_permitted(call: Call, before: str | None, after: str | None) -> None:
    """Raise RoleMissing when the caller would change where meetings are sent, without being allowed to."""
    if after != before:
        call.require_member_access(DATA_SERVICE, "/dataUrl")
