-- Calendar entries that were made together. Each stays a row of its own, so that nothing that reads them has to know the
-- series (docs/decisions/0134): it is what ends them together, and its rule is told to those who look at one.
alter table calendar_entry
    add column series_id uuid,
    add column recurrence text;
create index calendar_entry_by_series on calendar_entry (tenant_id, series_id) where series_id is not null;
