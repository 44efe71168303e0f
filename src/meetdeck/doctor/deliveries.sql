-- name: list_failing_webhooks()
select tenant, webhook, is_active, since, waiting, last_status, last_problem from list_failing_webhooks();

-- name: list_failing_calendars()
-- Of the transaction's tenant.
select calendar_id, failing_since, problem from calendar where failing_since is not null order by failing_since;

-- name: list_called_addresses()
-- Of the transaction's tenant: what is sent events, and what answers the data of documents.
select 'Webhook' as kind, webhook_id as id, url as address from webhook where active
union all
select 'Document rule', document_rule_id, data_url from document_rule where data_url is not null
union all
select 'Calendar', calendar_id, address from calendar where address is not null
order by kind, id;

-- name: measure_undelivered()^
select waiting, since, why from measure_undelivered();
