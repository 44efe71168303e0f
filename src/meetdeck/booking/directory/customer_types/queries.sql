-- name: list_customer_types()
select {columns as members} from customer_type order by "order", name, customer_type_id;

-- name: find_customer_type(customer_type_id)^
select {columns as members} from customer_type where customer_type_id = :customer_type_id;

-- name: lock_customer_type(customer_type_id)!
-- Locks the customer type.
select from customer_type where customer_type_id = :customer_type_id for update;

-- name: add_customer_types(customer_types)
-- Inserts those whose ids are new.
insert into customer_type (tenant_id, {columns})
select current_tenant(), {columns} from jsonb_populate_recordset(null::customer_type, :customer_types::jsonb)
on conflict (tenant_id, customer_type_id) do nothing
returning customer_type_id as id;

-- name: update_customer_types(customer_types)!
update customer_type set ({columns}) = row({given.columns})
from jsonb_populate_recordset(null::customer_type, :customer_types::jsonb) as given
where customer_type.customer_type_id = given.customer_type_id;

-- name: list_uses(customer_type_id, now, most)
-- The uses of a customer type: all that names it, and the meetings with such a customer that are not over. Lists
-- are hashed: `is true` keeps them from becoming joins (docs/decisions/0036).
with used as (
    select 'topic' as kind, name, null::timestamptz as starts_at from meeting_topic
    where (
        topic_id in (select topic_id from meeting_topic_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'employee', name, null from employee
    where (
        employee_id in (select employee_id from employee_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'competence group', name, null from competence_group
    where (
        competence_group_id in (select competence_group_id from competence_group_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'service group', name, null from service_group
    where (
        service_group_id in (select service_group_id from service_group_customer_type where customer_type_id = :customer_type_id)
    ) is true
    union all
    select 'portal', name, null from portal where portal.customer_type_id = :customer_type_id
    union all
    select 'meeting', title, starts_at from meeting
    where meeting.customer_type_id = :customer_type_id and cancelled_at is null and ends_at > :now
)
select kind, name, starts_at, count(*) over () as total from used
order by starts_at nulls first, kind, name
limit :most;

-- name: remember_customer_type(customer_type_id, now)!
-- The name is kept for past meetings.
insert into deletion (tenant_id, kind, deleted_id, name, deleted_at)
select current_tenant(), 'customer type', customer_type_id, name, :now
from customer_type
where customer_type_id = :customer_type_id
    and exists (select from meeting where meeting.customer_type_id = :customer_type_id)
on conflict (tenant_id, kind, deleted_id) do update set name = excluded.name, deleted_at = excluded.deleted_at;

-- name: delete_customer_type(customer_type_id)!
delete from customer_type where customer_type_id = :customer_type_id;
