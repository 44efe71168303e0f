-- name: forget_expired(now)!
-- Whoever keeps an answer clears up; rows that another is clearing up are skipped.
delete from idempotent_answer
where (user_id, key) in (
    select user_id, key from idempotent_answer where expires_at <= :now limit 100 for update skip locked
);

-- name: claim(user_id, key, fingerprint, expires_at, now)$
-- Waits while another transaction has claimed the key and not ended; null when there is an answer already.
insert into idempotent_answer (tenant_id, user_id, key, fingerprint, expires_at)
values (current_tenant(), :user_id, :key, :fingerprint, :expires_at)
on conflict (tenant_id, user_id, key) do update
    set fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
    where idempotent_answer.expires_at <= :now
returning key;

-- name: find_answer(user_id, key, now)^
select fingerprint, status, location, body from idempotent_answer
where user_id = :user_id and key = :key and expires_at > :now;

-- name: keep_answer(user_id, key, status, location, body)!
update idempotent_answer set status = :status, location = :location, body = :body
where user_id = :user_id and key = :key;

-- name: redact_answers(ids, members, without)!
update idempotent_answer
set body = convert_to(((convert_from(body, 'UTF8')::jsonb || :members::jsonb) - :without::text[])::text, 'UTF8')
where right(location, 36) = any (:ids::text[]);

-- name: delete_expired(expired_before, most)!
delete from idempotent_answer
where (user_id, key) in (
    select user_id, key from idempotent_answer where expires_at < :expired_before limit :most for update skip locked
);
