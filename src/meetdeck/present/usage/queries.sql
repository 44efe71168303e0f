-- name: add_uses(uses)!
-- Adds to the numbers of each day and template, in their order, so that two writers never wait for one another.
insert into template_use (tenant_id, day, template, decks, last_built_at)
select current_tenant(), day, template, decks, last_built_at
from jsonb_to_recordset(:uses::jsonb) as used (day date, template text, decks bigint, last_built_at timestamptz)
order by day, template
on conflict (tenant_id, day, template) do update
set decks = template_use.decks + excluded.decks,
    last_built_at = greatest(template_use.last_built_at, excluded.last_built_at);

-- name: count_uses(first, last, grouping)
-- The decks of some days by template, day or month, and, with a null key, of all.
select key, decks, last_built_at
from (
    select
        case :grouping::text
            when 'template' then template
            when 'month' then to_char(day, 'YYYY-MM-01')
            else day::text
        end as key,
        sum(decks)::bigint as decks, max(last_built_at) as last_built_at
    from template_use
    where day between :first and :last
    group by grouping sets ((1), ())
) as counted
order by key is not null, case when :grouping::text = 'template' then -decks end, key;
