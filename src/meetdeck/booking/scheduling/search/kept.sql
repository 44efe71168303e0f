-- The data that searches share, and its changes since (docs/decisions/0214). A row of `search_change` with an id
-- below the oldest transaction that was under way (`pg_snapshot_xmin`) when something was read was seen by that reading, or
-- will never be seen. A transaction that has changed such times or such a configuration itself keeps nothing (`is_reading`).

-- name: look_at_server()^
select identify_server() as server, pg_snapshot_xmin(pg_current_snapshot())::text as since;

-- name: have_times_changed(resource_keys, since)$
-- True if times of some resources changed since something was read in the same transaction.
select exists (
    select from search_change
    where xid >= :since::text::xid8
        and (resource_key = any (:resource_keys::integer[]) or resource_key < 0 and xid > :since::text::xid8)
);

-- name: look_for_changes(configuration_since, calendars_since, now)^
-- True if nothing changed since a configuration and calendars were read. It reads one index alone, so that its plan is good
-- however many rows there are.
select
    identify_server() as server, pg_snapshot_xmin(pg_current_snapshot())::text as since,
    not exists (select from search_change where xid = pg_current_xact_id_if_assigned()) as is_reading,
    not exists (
        select from search_change
        where xid >= least(:configuration_since::text::xid8, :calendars_since::text::xid8)
            and (
                resource_key = 0 and xid >= :configuration_since::text::xid8
                or resource_key > 0 and xid >= :calendars_since::text::xid8
                or resource_key < 0 and xid > least(:configuration_since::text::xid8, :calendars_since::text::xid8)
            )
    ) as is_unchanged,
    array(select resource_key from unread_resources(:now)) as unread;

-- name: read_changes(configuration_since, calendars_since, begin_at, end_at, now, longest, short_entry, longest_entry)^
-- True if the configuration that was read `configuration_since` is the current one, and of the calendars between two moments
-- that were read `calendars_since` the present ones of each resource that changed, packed as in `read_calendars`.
with recent as materialized (
    select xid, resource_key from search_change
    where xid >= least(:configuration_since::text::xid8, :calendars_since::text::xid8)
),
touched as materialized (
    select distinct resource_key from recent where resource_key > 0 and xid >= :calendars_since::text::xid8
)
select
    identify_server() as server, pg_snapshot_xmin(pg_current_snapshot())::text as since,
    not exists (select from search_change where xid = pg_current_xact_id_if_assigned()) as is_reading,
    not exists (
        select from recent
        where resource_key = 0 and xid >= :configuration_since::text::xid8
            or resource_key < 0 and xid > :configuration_since::text::xid8
    ) as has_configuration,
    not exists (select from recent where resource_key < 0 and xid > :calendars_since::text::xid8) as has_calendars,
    array(select resource_key from touched) as resource_keys,
    coalesce(taken.resource_keys, '') as taken_keys, coalesce(taken.starts_at, '') as taken_starts,
    coalesce(taken.ends_at, '') as taken_ends, coalesce(taken.expires_at, '') as taken_expire,
    array[coalesce(entries.busy, ''), coalesce(entries.extra_open, ''), coalesce(entries.elsewhere, '')] as entries,
    array(select resource_key from unread_resources(:now)) as unread
from (
    select
        string_agg(int4send(resource_key), null) as resource_keys,
        string_agg(timestamptz_send(starts_at), null) as starts_at,
        string_agg(timestamptz_send(ends_at), null) as ends_at,
        string_agg(timestamptz_send(expires_at), null) as expires_at
    from (
        select touched.resource_key, starts_at, ends_at, expires_at
        from touched
        cross join lateral (
            select starts_at, ends_at, max(coalesce(expires_at, 'infinity')) as expires_at from occupancy
            where occupancy.resource_key = touched.resource_key
                and starts_at > :begin_at::timestamptz - :longest::interval and starts_at < :end_at and ends_at > :begin_at
            group by starts_at, ends_at
        ) as each_time
    ) as of_touched
) as taken
cross join (
    select
        string_agg(packed, null) filter (where status = 'Busy') as busy,
        string_agg(packed, null) filter (where status = 'ExtraOpen') as extra_open,
        string_agg(packed, null) filter (where status = 'WorkingFromElsewhere') as elsewhere
    from touched
    cross join lateral (
        select status, packed from calendar_entry
        where calendar_entry.resource_key = touched.resource_key and not is_long
            and starts_at > :begin_at::timestamptz - :short_entry::interval and starts_at < :end_at
            and ends_at > :begin_at
        union all
        select status, packed from calendar_entry
        where calendar_entry.resource_key = touched.resource_key and is_long
            and starts_at > :begin_at::timestamptz - :longest_entry::interval and starts_at < :end_at
            and ends_at > :begin_at
    ) as entry
) as entries;

-- name: read_calendars(configuration_since, begin_at, end_at, now, longest, statuses, are_long, longest_entries)^
-- The calendars between two moments, as columns of big-endian numbers; of the same time of a resource, which several
-- customers share, one row. Reservations that ended come along: who keeps the rows looks at the clock.
select
    identify_server() as server, pg_snapshot_xmin(pg_current_snapshot())::text as since,
    not exists (select from search_change where xid = pg_current_xact_id_if_assigned()) as is_reading,
    not exists (
        select from search_change
        where xid >= :configuration_since::text::xid8
            and (resource_key = 0 or resource_key < 0 and xid > :configuration_since::text::xid8)
    ) as has_configuration,
    taken.*,
    array(
        select (
            select coalesce(string_agg(packed, null), '') from calendar_entry
            where status = wanted.status and is_long = wanted.is_long
                and starts_at > :begin_at::timestamptz - wanted.longest and starts_at < :end_at
                and (not wanted.is_long or ends_at > :begin_at)
        )
        from unnest(:statuses::text[], :are_long::boolean[], :longest_entries::interval[])
            with ordinality as wanted (status, is_long, longest, place)
        order by place
    ) as entries,
    array(select resource_key from unread_resources(:now)) as unread
from (
    select
        coalesce(string_agg(int4send(resource_key), null), '') as taken_keys,
        coalesce(string_agg(timestamptz_send(starts_at), null), '') as taken_starts,
        coalesce(string_agg(timestamptz_send(ends_at), null), '') as taken_ends,
        coalesce(string_agg(timestamptz_send(expires_at), null), '') as taken_expire
    from (
        select resource_key, starts_at, ends_at, coalesce(expires_at, 'infinity') as expires_at from occupancy
        where starts_at > :begin_at::timestamptz - :longest::interval and starts_at < :end_at and ends_at > :begin_at
            and shared_slot_id is null
        union all
        select resource_key, starts_at, ends_at, max(coalesce(expires_at, 'infinity')) from occupancy
        where starts_at > :begin_at::timestamptz - :longest::interval and starts_at < :end_at and ends_at > :begin_at
            and shared_slot_id is not null
        group by resource_key, starts_at, ends_at
    ) as each_time
) as taken;
