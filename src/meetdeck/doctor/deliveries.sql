-- name: list_failing_webhooks()
select tenant, webhook, is_active, since, waiting, last_status, last_problem from list_failing_webhooks();

-- name: list_called_addresses()
-- Of the transaction's tenant: what is sent events, and what answers the data of documents.
select 'Webhook' as kind, webhook_id as id, url as address from webhook where active
union all
select 'Document rule', document_rule_id, data_url from document_rule where data_url is not null
union all
select 'Calendar', calendar_id, address from calendar where address is not null
union all
select 'Calendar connection', connection_id, unnest(array_remove(array[address, login_address], null)) from calendar_connection
order by kind, id;

-- name: measure_undelivered()^
select waiting, since, why from measure_undelivered();
