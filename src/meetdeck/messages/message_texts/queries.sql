-- name: list_texts(kinds)
select kind, language, subject, heading, body, closing from message_text where kind = any (:kinds::text[]);

-- name: lock_text(kind, language)!
select from message_text where kind = :kind and language = :language for update;

-- name: find_text(kind, language)^
select subject, heading, body, closing from message_text where kind = :kind and language = :language;

-- name: put_text(kind, language, subject, heading, body, closing)!
insert into message_text (tenant_id, kind, language, subject, heading, body, closing)
values (current_tenant(), :kind, :language, :subject, :heading, :body, :closing)
on conflict (tenant_id, kind, language) do update
set subject = excluded.subject, heading = excluded.heading, body = excluded.body, closing = excluded.closing;

-- name: delete_text(kind, language)!
delete from message_text where kind = :kind and language = :language;
