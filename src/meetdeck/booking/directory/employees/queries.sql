-- name: list_employees(bookable_only, patterns, location, competence_group_id, ids, most, skipped)
-- All, or those that the search can offer (active, and with a bookable schedule), narrowed by what is not null.
-- The first row is there also when nobody is: it has the total.
with wanted as materialized (
    select *
    from employee
    where
        (
            not :bookable_only
            or (active and employee_id in (select employee_id from employee_schedule where can_be_booked))
        )
        and (
            :patterns::text[] is null
            or lower(concat_ws(' ', name, email, initials, title, location)) like all (:patterns)
        )
        and (:location::text is null or lower(location) = lower(:location))
        and (:ids::uuid[] is null or employee_id = any (:ids))
        and (
            :competence_group_id::uuid is null
            or employee_id in (
                select employee_id from competence_group_employee
                where competence_group_id in (select competence_groups_down(array[:competence_group_id]))
            )
        )
),

shown as (select * from wanted order by name, employee_id limit :most offset :skipped)

select
    (select count(*) from wanted) as total,
    {columns as members},
    {elsewhere}
from (values (0)) as always
left join shown as employee on true
order by name, employee_id;

-- name: list_names(ids)
select employee_id, name from employee where employee_id = any (:ids::uuid[]);

-- name: list_faces(ids)
select employee_id as id, name, picture_content_id as picture_id from employee where employee_id = any (:ids::uuid[]);

-- name: find_picture(employee_id, picture_id)$
select picture from employee_picture
join employee using (tenant_id, employee_id)
where employee_id = :employee_id and (picture_content_id = :picture_id or :picture_id::uuid is null);

-- name: set_picture(employee_id, picture)!
insert into employee_picture (tenant_id, employee_id, picture) values (current_tenant(), :employee_id, :picture)
on conflict (tenant_id, employee_id) do update set picture = excluded.picture;
