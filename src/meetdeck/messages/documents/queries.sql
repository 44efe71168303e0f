-- name: is_used()$
select exists (select from document_rule) or exists (select from document_task) or exists (select from meeting_document);

-- name: list_documents(meeting_id, now)
-- Those that are there still, and were not made for somebody who was the meeting's customer before.
select
    document.kind, document.content_id, document.made_at, document.findings,
    nullif(document.document_rule_id, '00000000-0000-0000-0000-000000000000') as rule_id,
    content.file_name, content.expires_at
from meeting_document as document
join content on content.content_id = document.content_id
where document.meeting_id = :meeting_id and content.expires_at > :now
    and not exists (
        select from meeting_history as entry
        where entry.meeting_id = document.meeting_id and entry.changes @> '[{"member": "customerId"}]'
            and entry.happened_at > document.made_at
    )
order by document.made_at, document.document_rule_id, document.kind;

-- name: list_content_ids(meeting_id, rule_ids, among)
-- Of the documents of a meeting that were made by these rules, or by all but these.
select content_id
from meeting_document
where meeting_id = :meeting_id and (document_rule_id = any (:rule_ids::uuid[])) = :among;

-- name: list_former_contents(meeting_id)
-- Of the documents that were made for somebody who was the meeting's customer before.
select content_id
from meeting_document as document
where meeting_id = :meeting_id and exists (
    select from meeting_history as entry
    where entry.meeting_id = document.meeting_id and entry.changes @> '[{"member": "customerId"}]'
        and entry.happened_at > document.made_at
);

-- name: add_documents(meeting_id, rule_id, made_at, documents)!
insert into meeting_document (tenant_id, meeting_id, document_rule_id, kind, content_id, made_at, findings)
select current_tenant(), :meeting_id, :rule_id, kind, content_id, :made_at, findings
from jsonb_to_recordset(:documents::jsonb) as given (kind text, content_id uuid, findings jsonb);

-- name: put_tasks(meeting_id, rule_ids)
-- A task for each rule, as new.
insert into document_task (tenant_id, document_task_id, meeting_id, document_rule_id)
select current_tenant(), gen_random_uuid(), :meeting_id, document_rule_id
from unnest(:rule_ids::uuid[]) as each (document_rule_id)
on conflict (tenant_id, meeting_id, document_rule_id) do update
set failures = 0, problem = null, findings = '[]', happened_at = null, told_at = null
returning document_task_id, document_rule_id;

-- name: put_tasks_of_rule(rule_id, now, most)
-- A task, as new, for each of the next meetings that a rule is for.
insert into document_task (tenant_id, document_task_id, meeting_id, document_rule_id)
select current_tenant(), gen_random_uuid(), meeting_id, document_rule_id
from document_rule as rule
cross join lateral (
    select meeting_id
    from meeting
    where starts_at > :now and cancelled_at is null
        and (rule.topic_id is null or rule.topic_id = meeting.topic_id)
        and (rule.customer_type_id is null or rule.customer_type_id = meeting.customer_type_id)
    order by starts_at, meeting_id
    limit :most
) as next
where document_rule_id = :rule_id
on conflict (tenant_id, meeting_id, document_rule_id) do update
set failures = 0, problem = null, findings = '[]', happened_at = null, told_at = null
returning document_task_id;

-- name: drop_unmatched_tasks(rule_id)
-- Those for meetings that a rule is not for any more.
delete from document_task as task
using document_rule as rule, meeting
where task.document_rule_id = :rule_id and rule.document_rule_id = :rule_id and meeting.meeting_id = task.meeting_id
    and not (
        (rule.topic_id is null or (rule.topic_id = meeting.topic_id) is true)
        and (rule.customer_type_id is null or (rule.customer_type_id = meeting.customer_type_id) is true)
    )
returning document_task_id;

-- name: list_unmatched_contents(rule_id, now)
-- Of the documents of meetings to come that a rule is not for any more.
select document.content_id
from meeting_document as document
join meeting on meeting.meeting_id = document.meeting_id and meeting.starts_at > :now
join document_rule as rule on rule.document_rule_id = document.document_rule_id
where rule.document_rule_id = :rule_id
    and not (
        (rule.topic_id is null or (rule.topic_id = meeting.topic_id) is true)
        and (rule.customer_type_id is null or (rule.customer_type_id = meeting.customer_type_id) is true)
    );

-- name: drop_tasks(meeting_id, rule_ids)
-- Those of a meeting, but for some rules.
delete from document_task
where meeting_id = :meeting_id and document_rule_id <> all (:rule_ids::uuid[])
returning document_task_id;

-- name: find_task(task_id)^
select document_task_id, meeting_id, document_rule_id, failures, told_at
from document_task
where document_task_id = :task_id;

-- name: lock_task(task_id)$
select true from document_task where document_task_id = :task_id for update;

-- name: fail(task_id, failures, problem, findings, happened_at, told_at)!
update document_task
set failures = :failures, problem = :problem, findings = :findings::jsonb, happened_at = :happened_at, told_at = :told_at
where document_task_id = :task_id;

-- name: mark_done(task_id)!
update document_task
set failures = 0, problem = null, findings = '[]', happened_at = null, told_at = null
where document_task_id = :task_id;

-- name: delete_task(task_id)!
delete from document_task where document_task_id = :task_id;

-- name: list_problems(meeting_id)
select document_rule_id as rule_id, problem, findings, happened_at, told_at
from document_task
where meeting_id = :meeting_id and problem is not null
order by happened_at, document_rule_id;

-- name: drop_documents(meeting_id, rule_id)!
delete from meeting_document where meeting_id = :meeting_id and document_rule_id = :rule_id;

-- name: put_prepared_deck(meeting_id, template, slides, data, is_sent, user_name, now)!
insert into prepared_deck (tenant_id, meeting_id, template, slides, data, is_sent, made_at, user_name)
values (current_tenant(), :meeting_id, :template, :slides, :data::jsonb, :is_sent, :now, :user_name)
on conflict (tenant_id, meeting_id) do update
set template = excluded.template, slides = excluded.slides, data = excluded.data, is_sent = excluded.is_sent,
    made_at = excluded.made_at, user_name = excluded.user_name;

-- name: find_prepared_deck(meeting_id)^
-- Not one that was made for somebody who was the meeting's customer before.
select template, slides, data, is_sent, made_at, user_name
from prepared_deck
where meeting_id = :meeting_id
    and not exists (
        select from meeting_history as entry
        where entry.meeting_id = prepared_deck.meeting_id and entry.changes @> '[{"member": "customerId"}]'
            and entry.happened_at > prepared_deck.made_at
    );

-- name: find_sent_deck(meeting_id, now)^
-- The file that a customer's messages link to: the PDF, or where there is none the deck.
select tenant_id, kind, content_id, expires_at
from prepared_deck
join meeting_document using (tenant_id, meeting_id)
join content using (tenant_id, content_id)
where meeting_id = :meeting_id and is_sent and document_rule_id = '00000000-0000-0000-0000-000000000000'
    and expires_at > :now
    and not exists (
        select from meeting_history as entry
        where entry.meeting_id = prepared_deck.meeting_id and entry.changes @> '[{"member": "customerId"}]'
            and entry.happened_at > prepared_deck.made_at
    )
order by kind desc
limit 1;

-- name: drop_prepared_deck(meeting_id)!
delete from prepared_deck where meeting_id = :meeting_id;

-- name: suggest_deck(meeting_id, customer_id, topic_id)^
-- The data of the last deck: for a customer, else for a topic, without values that were typed for another customer.
select
    case when is_own then 'Customer' else 'Topic' end as source, template, slides,
    case when is_own then data else '{}'::jsonb end as data
from prepared_deck
join meeting using (tenant_id, meeting_id)
cross join lateral (
    select meeting.customer_id = :customer_id and not exists (
        select from meeting_history as entry
        where entry.meeting_id = prepared_deck.meeting_id and entry.changes @> '[{"member": "customerId"}]'
            and entry.happened_at > prepared_deck.made_at
    ) as is_own
) as whose
where is_own or (:topic_id::uuid is not null and topic_id = :topic_id)
order by is_own desc, meeting_id = :meeting_id desc, made_at desc
limit 1;
