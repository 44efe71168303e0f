-- name: find_setting()^
select organization_setting_id as id, {columns as members} from organization_setting;

-- name: lock_setting()!
-- Locks the setting, which is read by a second statement: this one would show it as it was before the wait.
select from organization_setting for update;

-- name: add_setting(setting_id)!
-- With the columns' defaults. An existing setting is locked, so that it exists until the transaction ends.
insert into organization_setting (tenant_id, organization_setting_id) values (current_tenant(), :setting_id)
on conflict (tenant_id) do update set tenant_id = excluded.tenant_id;

-- name: update_setting(setting)!
update organization_setting set ({columns}) = row({given.columns})
from jsonb_populate_record(null::organization_setting, :setting::jsonb) as given;

-- name: list_unknown_labels(labels)
-- Those of some labels that no service group carries.
select name from unnest(:labels::text[]) as given (name)
where lower(name) not in (
    select label_key from label where label_id in (select label_id from service_group_label)
);

-- name: update_closing_days(closing_days)!
update organization_setting set closing_days = :closing_days;

-- name: delete_setting()!
delete from organization_setting;
