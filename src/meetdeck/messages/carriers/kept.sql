-- name: keep_mail(tenant_id, message_id, now, recipients, subject, text, html, calendar)!
-- Called without a tenant.
insert into kept_mail (tenant_id, message_id, kept_at, recipients, subject, text, html, calendar)
select entered.tenant_id::uuid, :message_id, :now, :recipients, :subject, :text, :html, :calendar
from set_config('meetdeck.tenant', :tenant_id, true) as entered (tenant_id)
on conflict (tenant_id, message_id) do update
set kept_at = excluded.kept_at, recipients = excluded.recipients, subject = excluded.subject, text = excluded.text,
    html = excluded.html, calendar = excluded.calendar;

-- name: list_mails(most)
-- Of all firms: whoever opens the mailbox of the test environment has no credentials.
select message_id, kept_at, recipients, subject, text, html, calendar from list_kept_mails(:most);
