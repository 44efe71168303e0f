-- The id of a firm's settings need not be unique in the installation: there is one row for each tenant. Of what is unique
-- without the tenant, nothing but what is looked up before the tenant is known is left (tests/integration/test_distribution.py).
alter table organization_setting drop constraint organization_setting_organization_setting_id_key;
