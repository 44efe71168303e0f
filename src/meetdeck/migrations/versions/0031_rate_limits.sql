-- How many requests each caller made in the last minute, counted for all processes and machines (docs/api.md#rate-limits).

alter table tenant
    add column rate_limit integer check (rate_limit >= 0); -- of each of its keys; null: the settings', 0: no limit

-- No tenant's data: digests and numbers. They may be lost with a crash of the server: then a minute begins anew.
create unlogged table rate_count (
    name   bytea primary key check (length(name) = 32), -- SHA-256 of what is limited, and whose requests
    newest bigint not null,                             -- the second (since 1970) of the last of the counts
    counts integer[] not null                           -- of 64 seconds, one each
) with (fillfactor = 50);

-- Counts `needed` requests of `whose`, as far as `most` a minute leave room, and `ahead` that may come within the next
-- seconds, as long as many are left. `unspent` of what was taken ahead earlier, counted in the second `unspent_in`, is given
-- back first. What is taken ahead is counted three seconds from now, the last at which it is spent: so in no minute more
-- than `most` are let through, and whole seconds make that minute 61 seconds at most.
create function take_rate_share(
    whose bytea, most integer, needed integer, ahead integer, unspent integer, unspent_in bigint,
    out granted integer,            -- of `needed`
    out granted_ahead integer,      -- of `ahead`
    out counted_in bigint,          -- the second in which these are counted
    out remaining integer,
    out more_in double precision    -- seconds until more remain
) language plpgsql as $$
declare
    reach constant integer := 64; -- seconds: 60, the present one, and three to come
    coming constant integer := 3;
    kept rate_count;
    moment double precision;
    passed bigint;
    place bigint;
    used bigint;
    room integer;
begin
    loop
        select * into kept from rate_count where name = whose for update;
        exit when found;
        insert into rate_count values (whose, 0, array_fill(0, array[reach])) on conflict do nothing;
    end loop;
    moment := extract(epoch from clock_timestamp());
    counted_in := floor(moment) + coming;
    if kept.newest - counted_in between 1 and reach then -- the clock was set back a little
        counted_in := kept.newest;
    end if;
    passed := counted_in - kept.newest;
    if passed < 0 or passed >= reach then
        kept.counts := array_fill(0, array[reach]);
    elsif passed > 0 then
        kept.counts := kept.counts[passed::integer + 1:] || array_fill(0, array[passed::integer]);
    end if;
    place := reach - (counted_in - unspent_in);
    if unspent > 0 and place between 1 and reach then
        kept.counts[place::integer] := greatest(kept.counts[place::integer] - unspent, 0);
    end if;

    used := (select sum(number) from unnest(kept.counts) as number);
    room := greatest(most - used, 0);
    granted := least(needed, room);
    granted_ahead := least(ahead, (room - granted) / 16);
    remaining := room - granted - granted_ahead;
    kept.counts[reach - coming] := kept.counts[reach - coming] + granted;
    kept.counts[reach] := kept.counts[reach] + granted_ahead;
    if granted + unspent > 0 then
        update rate_count set newest = counted_in, counts = kept.counts where name = whose;
    end if;

    used := used + granted + granted_ahead;
    more_in := counted_in - reach + 61 - moment + (
        select min(nth) from (
            select nth, sum(number) over (order by nth) as gone from unnest(kept.counts) with ordinality as each (number, nth)
        ) as leaving
        where gone > greatest(used - most, 0)
    );
end
$$;
