-- Limits of an hour or a day beside those of a minute: each of the 64 counts of a row is of `step` seconds. The previous
-- release goes on with the function of six parameters, whose rows have a step of 1.
alter table rate_count add column step integer not null default 1 check (step > 0);

-- As the function of 0031, for a window of 60 steps. `newest` stays the second (since 1970) in which its count begins;
-- `counted_in` and `unspent_in` are numbers of steps.
create function take_rate_share(
    whose bytea, most integer, step_seconds integer, needed integer, ahead integer, unspent integer, unspent_in bigint,
    out granted integer,
    out granted_ahead integer,
    out counted_in bigint,
    out remaining integer,
    out more_in double precision
) language plpgsql as $$
declare
    reach constant integer := 64; -- steps: 60, the present one, and three to come
    coming constant integer := 3;
    kept rate_count;
    newest_step bigint;
    moment double precision; -- in steps
    passed bigint;
    place bigint;
    used bigint;
    room integer;
begin
    loop
        select * into kept from rate_count where name = whose for update;
        exit when found;
        insert into rate_count (name, newest, counts, step)
        values (whose, 0, array_fill(0, array[reach]), step_seconds)
        on conflict do nothing;
    end loop;
    moment := extract(epoch from clock_timestamp()) / step_seconds;
    newest_step := kept.newest / step_seconds;
    counted_in := floor(moment) + coming;
    if newest_step - counted_in between 1 and reach then -- the clock was set back a little
        counted_in := newest_step;
    end if;
    passed := counted_in - newest_step;
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
        update rate_count set newest = counted_in * step_seconds, counts = kept.counts where name = whose;
    end if;

    used := used + granted + granted_ahead;
    more_in := step_seconds * (counted_in - reach + 61 - moment + (
        select min(nth) from (
            select nth, sum(number) over (order by nth) as gone from unnest(kept.counts) with ordinality as each (number, nth)
        ) as leaving
        where gone > greatest(used - most, 0)
    ));
end
$$;
