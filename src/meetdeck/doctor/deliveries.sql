-- name: list_failing_webhooks()
select tenant, webhook, is_active, since, waiting, last_status, last_problem from list_failing_webhooks();

-- name: measure_undelivered()^
select waiting, since, why from measure_undelivered();
