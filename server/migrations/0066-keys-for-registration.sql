-- A site's key that was made to be registered from a command line. Other keys of sites come from an
-- exchange, which binds them at once.
alter table api_keys add column for_registration boolean not null default false;
alter table api_keys add check (kind = 'site' or not for_registration);
update api_keys k set for_registration = true
  where kind = 'site'
    and not exists (select from sites s where s.key_id = k.id and s.connected_at <= k.created_at);
