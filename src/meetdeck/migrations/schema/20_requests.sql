-- What is known of requests: answers to repeat, and how many each caller made.

-- What was answered to a request with an `Idempotency-Key`, so that its repeat gets the same answer and does nothing.
create table idempotent_answer (
    tenant_id   uuid not null references tenant on delete cascade,
    user_id     uuid not null,
    key         text not null check (length(key) between 1 and 255),
    -- HMAC-SHA-256 of address and input: another request is no repeat.
    fingerprint bytea not null check (length(fingerprint) = 32),
    expires_at  timestamptz not null,
    status      smallint,
    location    text,
    -- Status, location and body come in the transaction that does the work: nobody sees a row without them.
    body        bytea,
    primary key (tenant_id, user_id, key)
);
create index idempotent_answer_expires_at on idempotent_answer (tenant_id, expires_at);
call isolate_by_tenant('idempotent_answer');

-- How many requests each caller made of late, counted for all processes and machines (docs/api/limits.md). No tenant's
-- data: digests and numbers. They may be lost with a crash of the server: then a minute begins anew.
create unlogged table rate_count (
    name   bytea primary key check (length(name) = 32), -- SHA-256 of what is limited, and whose requests
    newest bigint not null, -- the second (since 1970) in which the last of the counts begins
    counts integer[] not null, -- 64 of them
    step   integer not null default 1 check (step > 0) -- of how many seconds each count is: 1 for limits of a minute
) with (fillfactor = 50);

-- Counts `needed` requests of `whose`, as far as `most` in 60 steps leave room, and `ahead` that may come within the next
-- steps, as long as many are left. `unspent` of what was taken ahead earlier, counted in the step `unspent_in`, is given
-- back first. What is taken ahead is counted three steps from now, the last at which it is spent: so in no window of 60 steps
-- more than `most` are let through, and whole steps make that window 61 steps at most. `counted_in` and `unspent_in` are numbers
-- of steps since 1970.
create function take_rate_share(
    whose bytea, most integer, step_seconds integer, needed integer, ahead integer, unspent integer, unspent_in bigint,
    out granted integer,            -- of `needed`
    out granted_ahead integer,      -- of `ahead`
    out counted_in bigint,          -- the step in which these are counted
    out remaining integer,
    out more_in double precision    -- seconds until more remain
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
