-- name: list_calendars(calendar_id, employee_id, room_id, status, most, skipped, now)
-- Narrowed by what is not null, by their age. The first row is there also when no calendar is: it has the total.
with wanted as materialized (
    select *
    from calendar
    where (:calendar_id::uuid is null or calendar_id = :calendar_id)
        and (:employee_id::uuid is null or employee_id = :employee_id)
        and (:room_id::uuid is null or room_id = :room_id)
        and (:status::text is null or (failing_since is not null) = (:status = 'Failing'))
),

shown as (select * from wanted order by created_at, calendar_id limit :most offset :skipped)

select
    (select count(*) from wanted) as total,
    calendar_id as id, employee_id, room_id, kind, address, user_name, read_at as last_read_at,
    case when address is not null then greatest(0, extract(epoch from :now - read_at))::integer end as stale_seconds,
    case when failing_since is null then 'Ok' else 'Failing' end as status, problem, left_out
from (values (0)) as always
left join shown on true
order by created_at, calendar_id;

-- name: lock_calendar(calendar_id)!
select from calendar where calendar_id = :calendar_id for no key update;

-- name: count_calendars()$
select count(*) from calendar;

-- name: add_calendar(calendar_id, employee_id, room_id, kind, address, user_name, password, now)!
insert into calendar (
    tenant_id, calendar_id, employee_id, room_id, kind, address, user_name, password_encrypted, created_at
)
values (current_tenant(), :calendar_id, :employee_id, :room_id, :kind, :address, :user_name, :password, :now);

-- name: update_calendar(calendar_id, address, user_name, password, keeps_password)!
-- The data about the last answer belongs to the former address.
update calendar
set address = :address, user_name = :user_name, etag = null, changed = null,
    password_encrypted = case when :keeps_password then password_encrypted else :password end
where calendar_id = :calendar_id;

-- name: delete_calendar(calendar_id)!
delete from calendar where calendar_id = :calendar_id;

-- name: find_source(calendar_id)^
select
    employee_id, room_id, kind, address, user_name, password_encrypted, etag, changed, whole_read_at, failures,
    failing_since, is_failing_told
from calendar
where calendar_id = :calendar_id;

-- name: find_zone(employee_id)$
select time_zone from employee where employee_id = :employee_id;

-- name: record_read(calendar_id, address, now, is_whole, etag, changed, problem, left_out)$
-- Only while the address is the one that was read. Returns whether an event had told that it fails.
with before as (
    select is_failing_told from calendar
    where calendar_id = :calendar_id and address is not distinct from :address
    for no key update
)
update calendar
set read_at = :now, failing_since = null, failures = 0, is_failing_told = false, etag = :etag, changed = :changed,
    whole_read_at = case when :is_whole then :now else whole_read_at end,
    problem = case when :is_whole then :problem else problem end,
    left_out = case when :is_whole then :left_out else left_out end
from before
where calendar_id = :calendar_id
returning before.is_failing_told;

-- name: record_failure(calendar_id, address, now, problem, long_ago)$
-- Only while the address is the one that was tried. Returns true the first time that it fails since then.
with before as (
    select is_failing_told from calendar
    where calendar_id = :calendar_id and address is not distinct from :address
    for no key update
)
update calendar
set failing_since = coalesce(failing_since, :now), failures = failures + 1, problem = :problem,
    is_failing_told = calendar.is_failing_told or coalesce(failing_since, :now) <= :long_ago
from before
where calendar_id = :calendar_id
returning calendar.is_failing_told and not before.is_failing_told;
