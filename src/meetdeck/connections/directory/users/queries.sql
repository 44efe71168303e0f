-- name: list_users(ids, user_name, external_id, attributes, patterns, most, skipped)
-- Users that meet all conditions (an attribute is like a pattern), in the order of their ids; the first row is there also
-- when nobody is: it has the total. `ids`, `user_name` and `external_id`, if not null, are found by their indexes.
with person as materialized (
    select
        employee.*, directory_user.attributes, directory_user.created_at, directory_user.changed_at,
        case
            when provisioned then directory_user.user_name
            else coalesce(nullif(email, ''), employee_id::text)
        end as user_name
    from employee
    left join directory_user using (tenant_id, employee_id)
    where
        directory_user.ended_at is null
        and (:ids::uuid[] is null or employee_id = any (:ids::uuid[]))
        and (:external_id::text is null or external_id = :external_id)
        and (
            :user_name::text is null
            or employee_id in (
                select employee_id from directory_user where lower(user_name) = :user_name
                union all
                select employee_id from employee where lower(email) = :user_name
            )
        )
),

wanted as materialized (
    select * from person
    where not exists (
        select from unnest(:attributes::text[], :patterns::text[]) as condition (attribute, pattern)
        where not exists (
            select from (
                values
                ('id', employee_id::text),
                ('username', lower(user_name)),
                ('externalid', external_id),
                ('displayname', lower(coalesce(case when provisioned then attributes ->> 'displayName' end, name))),
                ('name.givenname', lower(first_name)),
                ('name.familyname', lower(last_name)),
                ('title', lower(title)),
                ('active', active::text)
                union all
                select kind, lower(entry.value ->> 'value')
                from
                    (values ('emails', email), ('phoneNumbers', phone)) as kept (member, single),
                    jsonb_array_elements(
                        case
                            when provisioned then coalesce(attributes -> member, '[]')
                            else jsonb_build_array(jsonb_build_object('type', 'work', 'value', single))
                        end
                    ) as entry (value),
                    unnest(array[
                        lower(member) || '.value',
                        lower(member) || '[' || lower(coalesce(entry.value ->> 'type', '')) || '].value'
                    ]) as kind
            ) as held (attribute, value)
            where held.attribute = condition.attribute and held.value like condition.pattern
        )
    )
),

shown as (select * from wanted order by employee_id limit :most offset :skipped)

select
    (select count(*) from wanted) as total,
    {columns as members}, {elsewhere}, attributes, created_at, changed_at
from (values (0)) as always
left join shown as employee on true
order by employee_id;

-- name: lock_user(employee_id)!
-- Locks an employee, which is read by a second statement: this one would show it as it was before the wait.
select from employee where employee_id = :employee_id for update;

-- name: lock_name(name)!
-- Locks a user name or an address until the transaction ends: nobody else begins to use it meanwhile.
select pg_advisory_xact_lock(hashtextextended('scim ' || current_tenant() || lower(:name), 0));

-- name: list_namesakes(user_name, email)
-- Users with this name or address, and whether the directory has ended them.
select employee_id, ended_at is not null as is_ended
from employee
left join directory_user using (tenant_id, employee_id)
where employee_id in (
    select employee_id from directory_user where lower(user_name) = lower(:user_name)
    union all
    select employee_id from employee
    where lower(email) = any (array[lower(:user_name), lower(:email)]) and email <> ''
)
order by ended_at desc nulls first, employee_id;

-- name: put_user(employee_id, user_name, attributes, now)!
insert into directory_user (tenant_id, employee_id, user_name, attributes, created_at, changed_at)
values (current_tenant(), :employee_id, :user_name, :attributes, :now, :now)
on conflict (tenant_id, employee_id) do update set
    user_name = excluded.user_name,
    attributes = excluded.attributes,
    created_at = case when directory_user.ended_at is null then directory_user.created_at else excluded.created_at end,
    changed_at = excluded.changed_at,
    ended_at = null;

-- name: end_user(employee_id, user_name, now)!
insert into directory_user (tenant_id, employee_id, user_name, attributes, created_at, changed_at, ended_at)
values (current_tenant(), :employee_id, :user_name, '{}', :now, :now, :now)
on conflict (tenant_id, employee_id) do update set (attributes, changed_at, ended_at) = row('{}', excluded.changed_at, excluded.ended_at);

-- name: own(employee_id)!
update employee set provisioned = true where employee_id = :employee_id and not provisioned;

-- name: disown(employee_id)!
update employee set provisioned = false where employee_id = :employee_id;
