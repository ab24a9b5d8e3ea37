create table api_keys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null default 'user' check (kind in ('user', 'site')),
  -- Of a site's key: created to be registered from a command line. Other keys of sites come from the
  -- exchange of a code, which binds them at once.
  for_registration boolean not null default false,
  name text not null check (length(name) between 1 and 100),
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array['podcasts:read', 'analytics:read', 'episodes:read', 'transcripts:read',
      'sites:write']
    and (kind = 'site' or not 'sites:write' = any (scopes))
  ),
  -- Every podcast that its user is a member of, now and later; otherwise those in api_key_podcasts.
  all_podcasts boolean not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- To the minute, and without the address. Country and network are null if no database knows them.
  last_used_at timestamptz(0),
  last_used_country text,
  last_used_network text,
  check (kind = 'site' or not for_registration)
);
create index api_keys_of_user on api_keys (user_id, created_at desc, id desc);

-- A key's secret and, while the old secret of a rolled key still works, that one too: never a third.
create table api_key_secrets (
  key_id uuid not null references api_keys (id) on delete cascade,
  replaced boolean not null default false,
  -- SHA-256; the secret itself is not stored.
  hash bytea not null check (length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  created_at timestamptz(3) not null,
  -- Of a replaced secret: when it stops working.
  expires_at timestamptz(3) not null,
  -- When its user was reminded that it expires soon.
  reminded_at timestamptz(3),
  primary key (key_id, replaced)
);
-- One half of the hash finds a secret; the other half is compared in constant time.
create unique index api_key_secrets_found_by on api_key_secrets (substring(hash from 1 for 16));
create index api_key_secrets_to_remind on api_key_secrets (expires_at)
  where not replaced and reminded_at is null;

-- The podcasts that a key names, and those to which its access ended. A blocked row always stays, even of a
-- key for all podcasts: it keeps the podcast from being added again.
create table api_key_podcasts (
  key_id uuid not null references api_keys (id) on delete cascade,
  podcast_id uuid not null,
  -- As in podcast_members.
  podcast_created_at timestamptz(3) not null,
  blocked_at timestamptz(3),
  primary key (key_id, podcast_id),
  foreign key (podcast_id, podcast_created_at)
    references podcasts (id, created_at) on update cascade on delete cascade
);
create index api_key_podcasts_in_order
  on api_key_podcasts (key_id, podcast_created_at, podcast_id);
create index api_key_podcasts_of_podcast on api_key_podcasts (podcast_id);

-- Where a key was used from in the last thirty days, to recognize a new place.
create table api_key_places (
  key_id uuid not null references api_keys (id) on delete cascade,
  country text,
  -- Its number alone: names change.
  network text,
  last_seen_at timestamptz(0) not null,
  constraint api_key_places_key unique nulls not distinct (key_id, country, network)
);
