-- name: list_entries(since, until, kind, action, user_id, user_name, resource_id, resource_name, after_time, after_id, most)
-- The newest first, behind a position.
select
    entry_id as id, changed_at as "changedAt", action, kind, resource_id as "resourceId", resource_name as "resourceName",
    user_id as "userId", user_name as "userName", operator, command, request_id as "requestId", changes
from audit_entry
where (:since::timestamptz is null or changed_at >= :since)
    and (:until::timestamptz is null or changed_at < :until)
    and (:kind::text is null or kind = :kind)
    and (:action::text is null or action = :action)
    and (:user_id::uuid is null or user_id = :user_id)
    and (:user_name::text is null or position(lower(:user_name) in lower(coalesce(user_name, operator))) > 0)
    and (:resource_name::text is null or position(lower(:resource_name) in lower(resource_name)) > 0)
    and (:resource_id::text is null or resource_id = :resource_id)
    and (:after_time::timestamptz is null or (changed_at, entry_id) < (:after_time, :after_id::bigint))
order by changed_at desc, entry_id desc
limit :most;

-- name: forget(changed_before, most)$
select forget_audit_entries(:changed_before, :most);
