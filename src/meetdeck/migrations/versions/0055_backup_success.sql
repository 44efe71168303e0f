-- When the last backup of the installation succeeded: one row at most, no tenant's data. No backup holds it, so that an
-- installation that was restored has none until its own first backup.
create table backup_success (
    is_last      boolean primary key default true check (is_last),
    succeeded_at timestamptz not null
);
