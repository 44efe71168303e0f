-- name: is_used()$
select exists (select from document_rule) or exists (select from document_task) or exists (select from meeting_document);

-- name: list_documents(meeting_id, now)
-- Those that are there still, and were not made for somebody who was the meeting's customer before.
select
    document.kind, document.content_id, document.made_at, document.findings, document.document_rule_id as rule_id,
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
