-- A deck for each meeting (docs/decisions/0117).

-- `template` is a name or an id, and looked up when a deck is made. A rule goes with its topic or customer type.
create table document_rule (
    tenant_id               uuid not null references tenant on delete cascade,
    document_rule_id        uuid not null,
    topic_id                uuid, -- null: all
    customer_type_id        uuid, -- null: all
    template                text not null check (template <> ''),
    slides                  text[] not null default '{}', -- none: the whole template
    data_url                text, -- null: the deck is made of the meeting itself
    hours_before            integer check (hours_before between 0 and 8760), -- null: not made again
    secret_encrypted        bytea not null, -- signs requests to data_url
    former_secret_encrypted bytea, -- signs them, too, for a while
    rotated_at              timestamptz,
    created_at              timestamptz not null,
    primary key (tenant_id, document_rule_id),
    foreign key (tenant_id, topic_id) references meeting_topic on delete cascade,
    foreign key (tenant_id, customer_type_id) references customer_type on delete cascade
);
call isolate_by_tenant('document_rule');

-- What was made, the newest of each kind for each rule. It goes with its content; it outlives its rule, so that the content
-- is found when the meeting is erased.
create table meeting_document (
    tenant_id        uuid not null,
    meeting_id       uuid not null,
    document_rule_id uuid not null,
    kind             text not null check (kind in ('Deck', 'Pdf')),
    content_id       uuid not null,
    made_at          timestamptz not null,
    findings         jsonb not null default '[]',
    primary key (tenant_id, meeting_id, document_rule_id, kind),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    foreign key (tenant_id, content_id) references content on delete cascade
);
create index meeting_document_by_content on meeting_document (tenant_id, content_id);
call isolate_by_tenant('meeting_document');

-- What is to be made, or could not be: a job of each.
create table document_task (
    tenant_id        uuid not null,
    document_task_id uuid not null,
    meeting_id       uuid not null,
    document_rule_id uuid not null,
    failures         integer not null default 0, -- one after the other
    problem          text, -- why it could not be made
    findings         jsonb not null default '[]',
    happened_at      timestamptz, -- when that was
    told_at          timestamptz, -- when the advisor was told
    primary key (tenant_id, document_task_id),
    unique (tenant_id, meeting_id, document_rule_id),
    foreign key (tenant_id, meeting_id) references meeting on delete cascade,
    foreign key (tenant_id, document_rule_id) references document_rule on delete cascade
);
call isolate_by_tenant('document_task');
