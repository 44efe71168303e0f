-- name: has_tenant()$
select exists (select from tenant where disabled_at is null) as found;

-- name: insert_session(digest, user_id, name, email, roles, now, authenticated_at, subject, provider_session, tokens)!
insert into console_session (
    tenant_id, digest, user_id, name, email, roles, created_at, seen_at, checked_at, authenticated_at, subject,
    provider_session, tokens_encrypted
)
values (
    current_tenant(), :digest, :user_id, :name, :email, :roles, :now, :now, :now, :authenticated_at, :subject,
    :provider_session, :tokens
);

-- name: replace_session(digest, old_digest, user_id)!
-- Keeps the choices and entries of the same person.
with old as (
    delete from console_session where digest = :old_digest returning user_id, language, kept_form_encrypted
)
update console_session
set language = old.language, kept_form_encrypted = old.kept_form_encrypted
from old
where console_session.digest = :digest and old.user_id = :user_id;

-- name: find_session(digest, created_after, seen_after, now)^
-- With what every page shows of the firm, so that a page needs no statement for it; nobody reads a count past 100.
select
    digest, user_id, name, email, roles, language, created_at, seen_at, coalesce(checked_at, created_at) as checked_at,
    authenticated_at, subject, provider_session,
    (
        select jsonb_build_object(
            'name', tenant.name, 'brandColor', face.brand_color, 'logoUrl', coalesce(face.logo_url, ''),
            'waiting', (
                select count(*)
                from (
                    select
                    from wish
                    where wish.to_at > :now and not exists (
                        select
                        from wish_offer as offer
                        join time_slot as slot on slot.time_slot_id = offer.time_slot_id
                        where offer.wish_id = wish.wish_id and (
                            slot.status in ('Booked', 'Released')
                            or slot.status = 'Reserved' and slot.expires_at > :now
                        )
                    )
                    limit 100
                ) as waiting
            ),
            'undelivered', (
                select count(*)
                from (
                    (select from message where status = 'Waiting' and attempts > 0 limit 100)
                    union all
                    (select from notice where status = 'Waiting' and attempts > 0 limit 100)
                    union all
                    (select from reminder where status = 'Waiting' and attempts > 0 limit 100)
                ) as undelivered
            )
        )
        from tenant
        left join lateral (
            select brand_color, logo_url from portal order by (logo_url <> '') desc, name, portal_id limit 1
        ) as face on true
    ) as firm
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

-- name: list_sessions(created_after, seen_after)
select
    digest, user_id, name, email, roles, language, created_at, seen_at, coalesce(checked_at, created_at) as checked_at,
    authenticated_at, subject, provider_session
from console_session
where created_at > :created_after and seen_at > :seen_after
order by name, created_at, digest;

-- name: set_roles(digest, roles, tokens, now)!
update console_session set roles = :roles, tokens_encrypted = :tokens, checked_at = :now where digest = :digest;

-- name: set_tokens(digest, tokens)!
update console_session set tokens_encrypted = :tokens where digest = :digest;

-- name: find_tokens(digest)$
select tokens_encrypted from console_session where digest = :digest;

-- name: set_form(digest, form)!
update console_session set kept_form_encrypted = :form where digest = :digest;

-- name: find_form(digest)$
select kept_form_encrypted from console_session where digest = :digest;

-- name: identify_sessions(provider_session, subject)
select tenant_id, digest from identify_console_sessions(:provider_session, :subject);

-- name: delete_begun(digest, begun_before)!
delete from console_session where digest = :digest and created_at <= :begun_before;

-- name: note_logout(digest, now)$
insert into console_logout (tenant_id, digest, received_at) values (current_tenant(), :digest, :now)
on conflict do nothing
returning true as is_new;

-- name: forget_logouts(received_before)!
delete from console_logout where received_at < :received_before;

-- name: delete_session(digest)!
delete from console_session where digest = :digest;

-- name: delete_ended(created_after, seen_after)$
with deleted as (
    delete from console_session where created_at <= :created_after or seen_at <= :seen_after returning 1
)
select count(*) from deleted;
