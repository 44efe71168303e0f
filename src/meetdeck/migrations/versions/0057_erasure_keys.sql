-- The keys that the digests in receipts of erasures were made with, before the installation's encryption key was rotated:
-- who was erased cannot be digested anew. Each is encrypted as `cpr` is.
create table erasure_key (
    tenant_id      uuid not null references tenant on delete cascade,
    erasure_key_id uuid not null,
    key_encrypted  bytea not null,
    primary key (tenant_id, erasure_key_id)
);
call isolate_by_tenant('erasure_key');
