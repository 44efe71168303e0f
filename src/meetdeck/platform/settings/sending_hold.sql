-- Called without a tenant.

-- name: has_table()$
select to_regclass('public.sending_hold') is not null;

-- name: hold(held_since)!
insert into sending_hold (held_since) values (:held_since) on conflict (is_only) do nothing;

-- name: find()$
select held_since from sending_hold;

-- name: release()$
delete from sending_hold returning held_since;
