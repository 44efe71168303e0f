-- The service groups of which one more person each comes along to every meeting about a topic, in the order written; one
-- twice: two people.

alter table meeting_topic add column also_service_groups uuid[] not null default '{}';
