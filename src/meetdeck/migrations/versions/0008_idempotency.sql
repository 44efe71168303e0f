-- What was answered to a request with an `Idempotency-Key`, so that its repeat gets the same answer and does nothing.

create table idempotent_answer (
    tenant_id   uuid not null references tenant on delete cascade,
    user_id     uuid not null,
    key         text not null check (length(key) between 1 and 255),
    fingerprint bytea not null check (length(fingerprint) = 32), -- HMAC-SHA-256 of address and input: another request is no repeat
    expires_at  timestamptz not null,
    status      smallint,
    location    text,
    body        bytea, -- status, location and body come in the transaction that does the work: nobody sees a row without them
    primary key (tenant_id, user_id, key)
);
call isolate_by_tenant('idempotent_answer');
create index idempotent_answer_expires_at on idempotent_answer (tenant_id, expires_at);
