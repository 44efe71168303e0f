-- name: keep_mail(message_id, now, recipients, subject, text, html, calendar)!
insert into kept_mail (tenant_id, message_id, kept_at, recipients, subject, text, html, calendar)
values (current_tenant(), :message_id, :now, :recipients, :subject, :text, :html, :calendar)
on conflict (tenant_id, message_id) do update
set kept_at = excluded.kept_at, recipients = excluded.recipients, subject = excluded.subject, text = excluded.text,
    html = excluded.html, calendar = excluded.calendar;

-- name: list_mails(most)
-- Of all firms: whoever opens the mailbox of the test environment has no credentials.
select message_id, kept_at, recipients, subject, text, html, calendar from list_kept_mails(:most);
