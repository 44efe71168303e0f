-- The hosts that a firm may name for webhooks and data services; null: those of the installation.

alter table tenant add column outgoing_hosts text[];
