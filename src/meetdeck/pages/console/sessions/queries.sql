-- name: has_tenant()$
select exists (select from tenant where disabled_at is null) as found;

-- name: insert_session(digest, user_id, name, email, roles, now)!
insert into console_session (tenant_id, digest, user_id, name, email, roles, created_at, seen_at)
values (current_tenant(), :digest, :user_id, :name, :email, :roles, :now, :now);

-- name: find_session(digest, created_after, seen_after)^
select digest, user_id, name, email, roles, language, created_at, seen_at
from console_session
where digest = :digest and created_at > :created_after and seen_at > :seen_after
    and not exists (select from tenant where disabled_at is not null);

-- name: note_seen(digest, now)!
update console_session set seen_at = :now where digest = :digest and seen_at < :now;

-- name: set_language(digest, language)!
update console_session set language = :language where digest = :digest;

-- name: set_undo(digest, undo)!
update console_session set undo = :undo where digest = :digest;

-- name: find_undo(digest)$
select undo from console_session where digest = :digest;

-- name: delete_session(digest)!
delete from console_session where digest = :digest;

-- name: delete_ended(created_after, seen_after)$
with deleted as (
    delete from console_session where created_at <= :created_after or seen_at <= :seen_after returning 1
)
select count(*) from deleted;
