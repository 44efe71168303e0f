-- The labels of resources. Written for templates; `uses.py` loads it again for each other kind, with its name.

-- name: lock_resource(resource_id)$
-- Locks the resource with the labels.
select template_id from template where template_id = :resource_id for no key update;

-- name: register_labels(resource_id, names, now)!
-- Inserts new labels, and locks those that the resource will get or lose: the update changes nothing, but waits for
-- transactions that count or delete such a label, and inserts it again when it was deleted. All in one order, that of
-- count_label_uses, so that transactions cannot deadlock.
with given as materialized (
    select distinct on (lower(name)) name as label_name, lower(name) as label_key
    from unnest(:names::text[]) with ordinality as named (name, position)
    order by lower(name), position
),
carried as (
    select label_name, label_key
    from template_label join label using (tenant_id, label_id)
    where template_id = :resource_id
)
insert into label (tenant_id, label_name, first_seen, last_updated)
select current_tenant(), coalesce(given.label_name, carried.label_name), :now, :now
from given
full join carried on given.label_key = carried.label_key
where given.label_key is null or carried.label_key is null
order by coalesce(given.label_key, carried.label_key) collate "C"
on conflict (tenant_id, label_key) do update set usage_count = label.usage_count;

-- name: drop_labels(resource_id, names)!
-- Deletes the uses of labels that are not given.
delete from template_label using label
where template_id = :resource_id
    and label.label_id = template_label.label_id
    and not label_key = any (array(select lower(name) from unnest(:names::text[]) as named (name)));

-- name: carry_labels(resource_id, names)!
-- Inserts the uses of the given labels, in their order. `lower` is applied first, for the reason that `label_key` exists for.
with given as materialized (
    select lower(name) as label_key, min(position) as position
    from unnest(:names::text[]) with ordinality as named (name, position)
    group by lower(name)
)
insert into template_label (tenant_id, template_id, label_id, position)
select current_tenant(), :resource_id, label_id, given.position
from given join label on label.label_key = given.label_key
on conflict (tenant_id, template_id, label_id) do update
    set position = excluded.position
    where template_label.position <> excluded.position;

-- name: list_labels(resource_ids)
select
    template_id as resource_id,
    (select label_name from label where label.label_id = carried.label_id) as label_name
from template_label as carried
where template_id = any (:resource_ids::uuid[])
order by template_id, position;

-- name: list_labelled(names, all_of_them)
-- The resources that carry the labels: all of them, or any.
select template_id as resource_id
from template_label
where label_id = any (
    array(
        select label_id from label
        where label_key = any (array(select lower(name) from unnest(:names::text[]) as named (name)))
    )
)
group by template_id
having not :all_of_them
    or count(*) = (select count(distinct lower(name)) from unnest(:names::text[]) as named (name));
