-- What cannot be delivered, in all tenants: `meetdeck doctor` asks. No content and nobody's address is answered.

-- Read inside the functions below alone.
create policy measure on tenant for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'deliveries');
create policy measure on webhook for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'deliveries');
create policy measure on webhook_delivery for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'deliveries');
create policy measure on message for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'deliveries');
create policy measure on reminder for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'deliveries');
create policy measure on notice for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'deliveries');

-- Webhooks whose last try failed, and those that ended because their receiver is gone; first what fails longest.
create function list_failing_webhooks()
returns table (
    tenant uuid, webhook uuid, is_active boolean, since timestamptz, waiting bigint, last_status smallint, last_problem text
)
language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'deliveries', true);
    return query
        select
            failing.tenant_id, failing.webhook_id, failing.active, failing.failing_since,
            (
                select count(distinct delivery.event_id)
                from webhook_delivery as delivery
                where delivery.tenant_id = failing.tenant_id and delivery.webhook_id = failing.webhook_id
                    and delivery.status = 'Waiting'
            ),
            last.answer_status, last.problem
        from webhook as failing
        join tenant on tenant.tenant_id = failing.tenant_id and tenant.disabled_at is null
        left join lateral (
            select delivery.answer_status, delivery.problem
            from webhook_delivery as delivery
            where delivery.tenant_id = failing.tenant_id and delivery.webhook_id = failing.webhook_id
                and (delivery.status = 'Failed' or delivery.answer_status = 410)
            order by delivery.at desc
            limit 1
        ) as last on true
        where failing.failing_since is not null and (failing.active or last.answer_status = 410)
        order by failing.failing_since, failing.webhook_id;
    perform set_config('meetdeck.identifying', '', true);
end
$$;

-- Messages, notices and reminders that were tried and are not sent yet. `since` is null where reminders alone wait: they
-- are written long before they are due.
create function measure_undelivered(out waiting bigint, out since timestamptz, out why text)
language plpgsql security definer set search_path = public as $$
begin
    perform set_config('meetdeck.identifying', 'deliveries', true);
    select count(*), min(unsent.due_at), (array_agg(unsent.reason order by unsent.attempts desc))[1]
    into waiting, since, why
    from (
        select message.tenant_id, message.created_at as due_at, message.reason, message.attempts
        from message
        where message.status = 'Waiting' and message.attempts > 0
        union all
        select notice.tenant_id, notice.created_at, notice.reason, notice.attempts
        from notice
        where notice.status = 'Waiting' and notice.attempts > 0
        union all
        select reminder.tenant_id, null, reminder.reason, reminder.attempts
        from reminder
        where reminder.status = 'Waiting' and reminder.attempts > 0
    ) as unsent
    join tenant on tenant.tenant_id = unsent.tenant_id and tenant.disabled_at is null;
    perform set_config('meetdeck.identifying', '', true);
end
$$;
