-- name: list_labels(from_active, to_active, page_size, skipped)
select {columns as members}
from label
where is_active between :from_active and :to_active
order by label_key
limit :page_size offset :skipped;

-- name: count_labels(from_active, to_active)$
select count(*) from label where is_active between :from_active and :to_active;

-- name: find_label(label_id)^
select {columns as members}
from label
where label_id = :label_id;

-- name: find_label_for_update(label_id)^
-- Locks the label, also against being put on a resource or taken off.
select {columns as members}
from label
where label_id = :label_id
for update;

-- name: add_label(label_name, color, description, now)^
-- Returns no row when the name is taken in any case.
insert into label (tenant_id, label_name, color, description, first_seen, last_updated)
values (current_tenant(), :label_name, :color, :description, :now, :now)
on conflict (tenant_id, label_key) do nothing
returning {columns as members};

-- name: update_label(label_id, color, description, now)!
update label set color = :color, description = :description, last_updated = :now where label_id = :label_id;

-- name: delete_label(label_id)!
delete from label where label_id = :label_id;

-- name: list_labelled_resources(label_id, most)
-- The resources with a label. Lists are hashed: `is true` keeps them from becoming joins (docs/decisions/0036).
select 'template' as kind, template_id as id, name from template
where (template_id in (select template_id from template_label where label_id = :label_id)) is true
union all
select 'competence_group', competence_group_id, name from competence_group
where (competence_group_id in (select competence_group_id from competence_group_label where label_id = :label_id)) is true
union all
select 'service_group', service_group_id, name from service_group
where (service_group_id in (select service_group_id from service_group_label where label_id = :label_id)) is true
union all
select 'portal', portal_id, name from portal
where (portal_id in (select portal_id from portal_label where label_id = :label_id)) is true
order by kind, name
limit :most;

-- name: search_labels(like_this, threshold, most, from_active, to_active)
-- The index is read from the nearest name on (`<->` is 1 - similarity). It has no second order, so as many as may be asked
-- for are read, and of equally similar ones the most used come first. A range of `is_active` is a condition that the index
-- has for each of the three filters.
select
    {columns as members},
    (1 - distance)::real as similarity
from (
    select
        {columns}, label_key,
        label_name <-> :like_this as distance
    from label
    where is_active between :from_active and :to_active
    order by label_name <-> :like_this
    limit 200
) as nearest
where distance <= (1 - :threshold::real)::real
order by distance, usage_count desc, label_key
limit :most;

-- name: suggest_labels(prefix, of_groups, most)
-- A beginning is a range of keys, up to the last code point that Unicode has. All, or those that groups carry.
select {suggestion as members}
from label
where label_key >= lower(:prefix) and label_key < lower(:prefix) || chr(1114111)
    and (
        not :of_groups::boolean
        or exists (select from competence_group_label as carried where carried.label_id = label.label_id)
        or exists (select from service_group_label as carried where carried.label_id = label.label_id)
    )
order by usage_count desc, label_key
limit :most;
