-- name: list_connections(connection_id, now)
-- All by their age, or one.
select
    connection_id as id, name, kind, directory_id, client_id, group_id, user_name, address, login_address, tentative_blocks,
    writes, when_stale, stale_after, coalesce(problem, case when is_too_wide then 'TooWide' end) as problem, mailboxes, matched,
    greatest(0, extract(epoch from :now - oldest_at))::integer as oldest_seconds, oldest_at as last_round_at,
    unwritten, write_problem,
    case
        when problem = 'WrongCredentials' then 'Failing'
        when problem = 'OutOfScope' then 'OutOfScope'
        when last_at is null and :now <= created_at + stale_after then 'Waiting'
        when last_at is null and problem in ('NotYet') then 'Waiting'
        when last_at > :now - stale_after then 'Ok'
        when matched = 0 and problem is null and members_at is not null then 'Ok'
        else 'Failing'
    end as status
from calendar_connection
cross join lateral (
    select
        count(*)::integer as mailboxes,
        (count(*) filter (where is_matched))::integer as matched,
        max(near_at) as last_at,
        case when bool_and(near_at is not null) filter (where is_matched) then min(near_at) filter (where is_matched) end as oldest_at
    from (
        select near_at, num_nonnulls(employee_id, room_id) > 0 as is_matched
        from calendar_mailbox
        where calendar_mailbox.connection_id = calendar_connection.connection_id
    ) as mailbox
) as counted
cross join lateral (
    select count(*)::integer as unwritten, mode() within group (order by failed.problem) as write_problem
    from calendar_event as failed
    where failed.connection_id = calendar_connection.connection_id and failed.problem is not null and failed.ends_at > :now
) as failed
where :connection_id::uuid is null or connection_id = :connection_id
order by created_at, connection_id;

-- name: lock_connection(connection_id)!
select from calendar_connection where connection_id = :connection_id for no key update;

-- name: count_connections()$
select count(*) from calendar_connection;

-- name: add_connection(connection_id, name, kind, directory_id, client_id, secret, is_certificate, address, login_address, group_id, user_name, tentative_blocks, when_stale, stale_after, now)!
insert into calendar_connection (
    tenant_id, connection_id, name, kind, directory_id, client_id, secret_encrypted, is_certificate, address, login_address,
    group_id, user_name, tentative_blocks, when_stale, stale_after, created_at
)
values (
    current_tenant(), :connection_id, :name, :kind, :directory_id, :client_id, :secret, :is_certificate, :address,
    :login_address, :group_id, :user_name, :tentative_blocks, :when_stale, :stale_after, :now
);

-- name: update_connection(connection_id, name, directory_id, client_id, secret, is_certificate, address, login_address, group_id, user_name, tentative_blocks, when_stale, stale_after)!
-- A secret that is null stays. The mailboxes are listed anew.
update calendar_connection
set name = :name, directory_id = :directory_id, client_id = :client_id, address = :address, login_address = :login_address,
    group_id = :group_id, user_name = :user_name, tentative_blocks = :tentative_blocks, when_stale = :when_stale, stale_after = :stale_after,
    secret_encrypted = coalesce(:secret::bytea, secret_encrypted),
    is_certificate = case when :secret::bytea is null then is_certificate else :is_certificate end,
    members_at = null, problem = null
where connection_id = :connection_id;

-- name: set_writes(connection_id, writes, now)!
-- Meetings are written that are booked from when it was switched on.
update calendar_connection
set writes = :writes, writes_since = case when :writes = 'None' then null when writes = 'None' then :now else writes_since end
where connection_id = :connection_id;

-- name: delete_connection(connection_id)!
delete from calendar_connection where connection_id = :connection_id;

-- name: find_account(connection_id)^
select
    kind, directory_id, client_id, user_name, secret_encrypted, is_certificate, address, login_address, group_id,
    tentative_blocks, members_at
from calendar_connection
where connection_id = :connection_id;

-- name: record_members(connection_id, emails, ids, homes, now, is_too_wide)!
-- Keeps, adds and removes mailboxes, and matches each to whoever has its address: an employee first. Their homes are lists
-- in JSON. Everybody is listed once and joined: by an index, `lower` of a row may not be compared below row-level security.
-- A mailbox that changed its owner or place is read anew: what was read before does not count.
with given as (
    select lower(email) as email, id, array(select jsonb_array_elements_text(homes::jsonb)) as homes
    from unnest(:emails::text[], :ids::uuid[], :homes::text[]) as listed (email, id, homes)
),
gone as (
    delete from calendar_mailbox
    where connection_id = :connection_id and email not in (select email from given)
),
matched as (
    select
        given.id, given.email, given.homes, employee.employee_id,
        case when employee.employee_id is null then room.room_id end as room_id
    from given
    left join (
        select distinct on (lower(email)) lower(email) as email, employee_id from employee order by lower(email), employee_id
    ) as employee on employee.email = given.email
    left join (
        select distinct on (lower(email)) lower(email) as email, room_id from room order by lower(email), room_id
    ) as room on room.email = given.email
),
known as (
    update calendar_connection set members_at = :now, tried_at = :now, problem = null, is_too_wide = :is_too_wide
    where connection_id = :connection_id
)
insert into calendar_mailbox (tenant_id, mailbox_id, connection_id, email, employee_id, room_id, homes)
select current_tenant(), id, :connection_id, email, employee_id, room_id, homes from matched
on conflict (tenant_id, connection_id, email) do update
set employee_id = excluded.employee_id, room_id = excluded.room_id, homes = excluded.homes, near_tag = null, far_tag = null
where (calendar_mailbox.employee_id, calendar_mailbox.room_id, calendar_mailbox.homes)
    is distinct from (excluded.employee_id, excluded.room_id, excluded.homes);

-- name: record_problem(connection_id, problem, now)!
update calendar_connection set problem = :problem, tried_at = :now where connection_id = :connection_id;

-- name: lock_reported_status(connection_id)$
select told_status from calendar_connection where connection_id = :connection_id for no key update;

-- name: record_reported_status(connection_id, status)!
update calendar_connection set told_status = :status where connection_id = :connection_id;

-- name: list_mailboxes(connection_id, status, search, most, skipped)
-- Narrowed by what is not null. The first row is there also when no mailbox is: it has the total.
with wanted as materialized (
    select email, employee_id, room_id, near_at, problem
    from calendar_mailbox
    where connection_id = :connection_id and (:search::text is null or strpos(email, lower(:search)) > 0) and (
        :status::text is null
        or :status = 'Unmatched' and num_nonnulls(employee_id, room_id) = 0
        or :status = 'Matched' and num_nonnulls(employee_id, room_id) = 1
        or :status = 'Failing' and num_nonnulls(employee_id, room_id) = 1 and problem is not null
    )
),

shown as (select * from wanted order by email limit :most offset :skipped)

select (select count(*) from wanted) as total, email, employee_id, room_id, near_at as read_at, problem
from (values (0)) as always
left join shown on true
order by email;

-- name: list_matched(connection_id, employee_ids)
-- Mailboxes of somebody here; only of some employees unless null.
select
    mailbox_id, email, employee_id, room_id, near_at, far_at, sought_at, tried_at, problem, homes, near_tag, far_tag,
    (select time_zone from employee where employee.employee_id = calendar_mailbox.employee_id) as time_zone
from calendar_mailbox
where connection_id = :connection_id and num_nonnulls(employee_id, room_id) = 1
    and (:employee_ids::uuid[] is null or employee_id = any (:employee_ids));

-- name: list_of_resources(resource_ids)
-- The mailboxes of some employees and rooms.
select
    connection_id, mailbox_id, email, employee_id, room_id, near_at, far_at, sought_at, tried_at, problem, homes, near_tag,
    far_tag, (select time_zone from employee where employee.employee_id = calendar_mailbox.employee_id) as time_zone
from calendar_mailbox
where employee_id = any (:resource_ids::uuid[]) or room_id = any (:resource_ids::uuid[]);

-- name: lock_mailboxes(mailbox_ids)
-- Returns whose those are that are there, and keeps them so until the transaction ends.
select mailbox_id, coalesce(employee_id, room_id) as resource_id
from calendar_mailbox
where mailbox_id = any (:mailbox_ids::uuid[])
order by mailbox_id
for no key update;

-- name: list_kept_times(mailbox_ids)
select calendar_id, status, starts_at, ends_at from calendar_entry where calendar_id = any (:mailbox_ids::uuid[]);

-- name: record_reading(horizon, ids, problems, tags, now)!
-- A problem leaves the time of the last good reading, and its tag.
update calendar_mailbox
set problem = read.problem, tried_at = :now,
    near_tag = case when read.problem is null and :horizon = 'Near' then read.tag else near_tag end,
    far_tag = case when read.problem is null and :horizon = 'Far' then read.tag else far_tag end,
    near_at = case when read.problem is null and :horizon = 'Near' then :now else near_at end,
    far_at = case when read.problem is null and :horizon = 'Far' then :now else far_at end
from unnest(:ids::uuid[], :problems::text[], :tags::text[]) as read (id, problem, tag)
where mailbox_id = read.id;

-- name: list_emails()
-- Of employees and rooms.
select lower(email) as email from employee where email like '%@%'
union
select lower(email) from room where email like '%@%'
order by email;

-- name: list_ids()
select connection_id from calendar_connection order by connection_id;

-- name: list_connected_tenants()
-- Called without a tenant.
select list_connected_tenants() as tenant_id;

-- name: record_sought(employee_ids, now, again_before, recently_before)
-- Records of employees that they were searched for, unless it is known; returns the connections, without those that have a
-- problem, with a mailbox that nobody had searched for lately.
with noted as (
    select mailbox_id, connection_id, coalesce(sought_at <= :recently_before, true) as is_new
    from calendar_mailbox
    where employee_id = any (:employee_ids::uuid[]) and coalesce(sought_at <= :again_before, true)
    order by mailbox_id
    for no key update skip locked
),
written as (
    update calendar_mailbox set sought_at = :now where mailbox_id in (select mailbox_id from noted)
)
select connection_id
from calendar_connection
where problem is null and connection_id in (select connection_id from noted where is_new);

-- name: find_outsider(connection_id)$
-- Somebody who is not in the group, and whose calendar should be denied.
select email
from employee
where email like '%@%' and not exists (
    select from calendar_mailbox
    where connection_id = :connection_id and calendar_mailbox.email = lower(employee.email)
)
order by employee_id
limit 1;
