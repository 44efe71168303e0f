-- name: take_share(whose, most, step, needed, ahead, unspent, unspent_in)^
select granted, granted_ahead, counted_in, remaining, more_in
from take_rate_share(:whose, :most, :step, :needed, :ahead, :unspent, :unspent_in);

-- name: forget_old()!
-- Rows that another is at are skipped.
delete from rate_count
where name in (
    select name from rate_count
    where newest < extract(epoch from clock_timestamp()) - 120 * step
    for update skip locked
);
