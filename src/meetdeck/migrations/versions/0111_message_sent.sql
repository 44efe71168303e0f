-- A message was sent: in a transaction and a round trip of its own, as it is for each mail.
create function mark_sent(
    of_tenant uuid, id uuid, stated bytea, in_language text, of_sequence integer, at timestamptz
) returns boolean language plpgsql as $$
begin
    perform set_config('meetdeck.tenant', of_tenant::text, true);
    update message
    set status = 'Sent', reason = null, told = stated, language = in_language, sent_sequence = of_sequence, ended_at = at,
        begun_at = null, is_perhaps_sent = false
    where tenant_id = of_tenant and message_id = id and status = 'Waiting';
    return found;
end
$$;
