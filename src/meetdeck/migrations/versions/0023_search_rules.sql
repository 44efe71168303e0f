-- What the search goes by, first part: groups below groups, and the organization's rules of a day.

alter table organization_setting
    add column daily_limit_for_employees boolean not null default true,
    add column buffer_between_meetings interval not null default '0';

-- Some competence groups, and all groups below them. A circle, which nobody can write, would end, too.
create function competence_groups_down(group_ids uuid[]) returns setof uuid language sql stable rows 100
begin atomic
    with recursive found (group_id) as (
        select unnest(group_ids)
        union
        select below.competence_group_id
        from found
        join competence_group_parent as below on below.parent_group_id = found.group_id
    )
    select group_id from found;
end;

-- Some competence groups, and all groups above them.
create function competence_groups_up(group_ids uuid[]) returns setof uuid language sql stable rows 100
begin atomic
    with recursive found (group_id) as (
        select unnest(group_ids)
        union
        select above.parent_group_id
        from found
        join competence_group_parent as above on above.competence_group_id = found.group_id
    )
    select group_id from found;
end;
