-- name: list_rules_for(topic_id, customer_type_id)
-- Those for a meeting about a topic, with a customer type.
select {columns as members}
from document_rule
where (topic_id is null or topic_id = :topic_id) and (customer_type_id is null or customer_type_id = :customer_type_id)
order by created_at, document_rule_id;

-- name: has_rules()$
select exists (select from document_rule);

-- name: add_rule({columns as arguments}, secret_encrypted, now)!
insert into document_rule (tenant_id, {columns}, secret_encrypted, created_at)
values (current_tenant(), {columns as parameters}, :secret_encrypted, :now);

-- name: rotate_secret(rule_id, secret_encrypted, now)!
update document_rule
set former_secret_encrypted = document_rule.secret_encrypted, secret_encrypted = :secret_encrypted, rotated_at = :now
where document_rule_id = :rule_id;

-- name: find_secrets(rule_id, rotated_after)^
select secret_encrypted, case when rotated_at > :rotated_after then former_secret_encrypted end as former_secret_encrypted
from document_rule
where document_rule_id = :rule_id;
