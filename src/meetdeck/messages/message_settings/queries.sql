-- name: lock_settings()!
-- There is a row from now on, and it is locked.
insert into message_setting (tenant_id) values (current_tenant())
on conflict (tenant_id) do update set tenant_id = excluded.tenant_id;

-- name: find_settings()^
select {columns as members} from message_setting;

-- name: update_settings({columns as arguments})!
update message_setting set ({columns}) = row({columns as parameters});
