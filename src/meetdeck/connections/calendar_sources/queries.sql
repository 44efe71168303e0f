-- name: list_sources(employee_ids, now)
-- Calendars of single people, and mailboxes of a firm's connections. The latter are read when their next two weeks are.
select
    employee_id, kind, address is null as is_uploaded, read_at,
    case when address is not null then greatest(0, extract(epoch from :now - read_at))::integer end as stale_seconds,
    case when failing_since is not null then 'Failing' when read_at is null then 'Waiting' else 'Ok' end as status
from calendar
where employee_id = any (:employee_ids::uuid[])
union all
select
    mailbox.employee_id, connection.kind, false, mailbox.near_at,
    greatest(0, extract(epoch from :now - mailbox.near_at))::integer,
    case
        when mailbox.problem is not null or connection.problem is not null then 'Failing'
        when mailbox.near_at is null then 'Waiting'
        else 'Ok'
    end
from calendar_mailbox as mailbox
join calendar_connection as connection using (connection_id)
where mailbox.employee_id = any (:employee_ids)
order by employee_id, kind, read_at;
