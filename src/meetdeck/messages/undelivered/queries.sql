-- name: count_undelivered()^
-- Reminders are written long before they are due: when they were says nothing.
select
    count(*) as waiting, count(*) filter (where is_perhaps_sent) as perhaps_sent, min(due_at) as since,
    (array_agg(reason order by attempts desc))[1] as reason
from (
    select created_at as due_at, reason, attempts, is_perhaps_sent from message where status = 'Waiting' and attempts > 0
    union all
    select created_at, reason, attempts, is_perhaps_sent from notice where status = 'Waiting' and attempts > 0
    union all
    select null, reason, attempts, is_perhaps_sent from reminder where status = 'Waiting' and attempts > 0
) as unsent;
