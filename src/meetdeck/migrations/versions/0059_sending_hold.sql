-- Since when the installation sends nothing out, as a restored copy does until it is released: one row at most, no
-- tenant's data. No backup holds it.
create table sending_hold (
    is_only    boolean primary key default true check (is_only),
    held_since timestamptz not null
);
