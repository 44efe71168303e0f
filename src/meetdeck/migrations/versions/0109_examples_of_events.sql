-- A test event may be an example of a type: it is sent as that. Its row keeps the type webhook.test.
alter table webhook_delivery add column example_of text;
