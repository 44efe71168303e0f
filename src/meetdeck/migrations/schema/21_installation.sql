-- What is of the whole installation: no tenant's data, and in no backup.

-- When the last backup of the installation succeeded: one row at most, no tenant's data. No backup holds it, so that an
-- installation that was restored has none until its own first backup.
create table backup_success (
    is_last      boolean primary key default true check (is_last),
    succeeded_at timestamptz not null
);

-- Since when the installation sends nothing out, as a restored copy does until it is released: one row at most, no
-- tenant's data. No backup holds it.
create table sending_hold (
    is_only    boolean primary key default true check (is_only),
    held_since timestamptz not null
);
