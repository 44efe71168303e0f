-- Webhooks: receivers of events, their secrets, and each try to deliver an event (docs/decisions/0113).

-- Webhooks: receivers of events, their secrets, and each try to deliver an event (docs/decisions/0113).
create table webhook (
    tenant_id       uuid not null references tenant on delete cascade,
    webhook_id      uuid not null,
    url             text not null,
    types           text[] not null, -- patterns like `meeting.*`; empty: all
    description     text not null,
    active          boolean not null,
    signature       text not null check (signature in ('v1', 'v1a')),
    created_at      timestamptz not null,
    begins_after    bigint not null, -- the feed's last position when it was made: it is sent what comes after
    failing_since   timestamptz, -- the first try that failed since one was delivered
    is_failing_told boolean not null default false, -- whether an event has told that it fails for long
    primary key (tenant_id, webhook_id)
);
call isolate_by_tenant('webhook');

create table webhook_secret (
    tenant_id        uuid not null references tenant on delete cascade,
    webhook_id       uuid not null,
    secret_id        uuid not null,
    secret_encrypted bytea not null,
    public_key       text, -- of an ed25519 key
    created_at       timestamptz not null,
    expires_at       timestamptz, -- null: the current one
    primary key (tenant_id, webhook_id, secret_id),
    foreign key (tenant_id, webhook_id) references webhook on delete cascade
);
call isolate_by_tenant('webhook_secret');

-- A row for each try; none has what was sent, which the event alone holds.
create table webhook_delivery (
    tenant_id       uuid not null references tenant on delete cascade,
    delivery_id     uuid not null,
    webhook_id      uuid not null,
    event_id        uuid not null, -- of a test event, too, which is no row of `event`
    type            text not null,
    attempt         smallint not null check (attempt > 0),
    at              timestamptz not null, -- when it was made; while it waits, when it is due
    status          text not null check (status in ('Waiting', 'Delivered', 'Failed', 'Ended')),
    answer_status   smallint,
    answer_body     text, -- its begin
    problem         text, -- why there was no answer, or no try
    next_attempt_at timestamptz,
    primary key (tenant_id, delivery_id),
    foreign key (tenant_id, webhook_id) references webhook on delete cascade
);
create index webhook_delivery_by_time on webhook_delivery (tenant_id, webhook_id, at);
create index webhook_delivery_by_event on webhook_delivery (tenant_id, event_id);
call isolate_by_tenant('webhook_delivery');

-- Deliveries go with their event, and what receivers answered goes when something is erased from it: they may have repeated
-- it.
create function forget_deliveries() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        delete from webhook_delivery where tenant_id = old.tenant_id and event_id = old.event_id;
    else
        update webhook_delivery set answer_body = null
        where tenant_id = new.tenant_id and event_id = new.event_id and answer_body is not null;
    end if;
    return null;
end
$$;
create trigger forget_deliveries after delete on event for each row execute function forget_deliveries();
create trigger forget_answers after update of data on event for each row
    when (old.data::text is distinct from new.data::text) execute function forget_deliveries();

-- Writes down that an event was delivered, in a transaction and a round trip of its own: true when the try waited until now.
-- The webhook comes first, as where it is made inactive.
create function settle_delivered(
    of_tenant uuid, id uuid, made_at timestamptz, given_status smallint, given_body text
) returns boolean language plpgsql as $$
begin
    perform set_config('meetdeck.tenant', of_tenant::text, true);
    update webhook set failing_since = null, is_failing_told = false
    where tenant_id = of_tenant and failing_since is not null and webhook_id = (
        select webhook_id from webhook_delivery where tenant_id = of_tenant and delivery_id = id
    );
    update webhook_delivery
    set status = 'Delivered', at = made_at, answer_status = given_status, answer_body = given_body, next_attempt_at = null
    where tenant_id = of_tenant and delivery_id = id and status = 'Waiting';
    return found;
end
$$;

-- Whose webhook an id is: operators name webhooks by it. Read inside this function alone.
create policy identify on webhook for select to current_user
    using (current_setting('meetdeck.identifying', true) = 'webhook');
create function identify_webhook(id uuid) returns uuid
language plpgsql security definer set search_path = public as $$
declare
    found_id uuid;
begin
    perform set_config('meetdeck.identifying', 'webhook', true);
    select tenant_id into found_id from webhook where webhook_id = id;
    perform set_config('meetdeck.identifying', '', true);
    return found_id;
end
$$;
