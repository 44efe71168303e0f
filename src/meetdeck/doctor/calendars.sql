-- name: list_failing_calendars()
-- Of the transaction's tenant.
select calendar_id, failing_since, problem from calendar where failing_since is not null order by failing_since;

-- name: list_connections(now)
-- Of the transaction's tenant, with when any and when the oldest mailbox of somebody was read.
select
    connection.connection_id, connection.name, connection.kind, connection.problem, connection.is_too_wide, connection.created_at,
    count(mailbox) filter (where mailbox.is_somebodys)::integer as matched,
    count(mailbox) filter (where mailbox.is_somebodys and mailbox.problem is not null)::integer as failing,
    max(mailbox.near_at) as last_at,
    coalesce(max(mailbox.near_at), connection.created_at) < :now::timestamptz - connection.stale_after as is_stale
from calendar_connection as connection
left join lateral (
    select near_at, problem, num_nonnulls(employee_id, room_id) > 0 as is_somebodys
    from calendar_mailbox
    where calendar_mailbox.connection_id = connection.connection_id
) as mailbox on true
group by connection.tenant_id, connection.connection_id -- the key, so all of its columns
order by connection.created_at, connection.connection_id;
