-- Written for competence groups; `store` loads it again for service groups.

-- name: list_groups(ids, attributes, patterns, most, skipped, with_members)
-- Groups that meet all conditions (an attribute is like a pattern), in the order of their ids; the first row is there also
-- when there is none: it has the total. Members whom the directory has ended are not users any more.
with wanted as materialized (
    select competence_group_id as group_id, name, directory_id, changed_at
    from competence_group
    where
        (:ids::uuid[] is null or competence_group_id = any (:ids::uuid[]))
        and not exists (
            select from unnest(:attributes::text[], :patterns::text[]) as condition (attribute, pattern)
            where not exists (
                select from (
                    values
                    ('id', competence_group_id::text),
                    ('displayname', lower(name)),
                    ('externalid', directory_id)
                    union all
                    select 'members.value', employee_id::text
                    from competence_group_employee as member
                    where member.competence_group_id = competence_group.competence_group_id
                        and condition.attribute = 'members.value'
                ) as held (attribute, value)
                where held.attribute = condition.attribute and held.value like condition.pattern
            )
        )
),

shown as (select * from wanted order by group_id limit :most offset :skipped)

select
    (select count(*) from wanted) as total, group_id, name, directory_id, changed_at,
    case when :with_members::boolean then array(
        select employee_id
        from competence_group_employee as member
        where member.competence_group_id = group_id and employee_id not in (
            select employee_id from directory_user where ended_at is not null
        )
        order by position, employee_id
    ) end as members,
    (
        select md5(string_agg(employee_id::text, ' ' order by employee_id))
        from competence_group_employee as member
        where member.competence_group_id = group_id and employee_id not in (
            select employee_id from directory_user where ended_at is not null
        )
    ) as digest
from (values (0)) as always
left join shown on true
order by group_id;

-- name: find_namesake(name, own_id)$
select competence_group_id from competence_group
where lower(name) = lower(:name) and (:own_id::uuid is null or competence_group_id <> :own_id)
limit 1;

-- name: rename_group(group_id, name)!
update competence_group set name = :name where competence_group_id = :group_id and name <> :name;

-- name: own_group(group_id, directory_id, now)!
update competence_group set provisioned = true, directory_id = :directory_id, changed_at = :now
where competence_group_id = :group_id;

-- name: find_unknown(employee_ids)$
-- The first of some ids that are not user's.
select employee_id from unnest(:employee_ids::uuid[]) as given (employee_id)
where employee_id not in (select employee_id from employee)
    or employee_id in (select employee_id from directory_user where ended_at is not null)
limit 1;
