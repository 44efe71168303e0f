-- name: add_change(meeting_id, old_email, name, email, now)$
insert into address_change (tenant_id, address_change_id, meeting_id, old_email, name, email, asked_at)
values (current_tenant(), gen_random_uuid(), :meeting_id, :old_email, :name, :email, :now)
returning address_change_id;

-- name: find_change(address_change_id)^
select address_change_id as id, meeting_id, old_email, name, email, asked_at, confirmed_at
from address_change
where address_change_id = :address_change_id;

-- name: mark_confirmed(address_change_id, now)!
update address_change set confirmed_at = :now where address_change_id = :address_change_id;
