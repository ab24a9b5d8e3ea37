-- Lists of one user's, or one key's, podcasts are oldest first. The podcast's date stands beside
-- each of them, so that such a list walks one index; the foreign keys keep it the podcast's own.
alter table podcasts add constraint podcasts_id_created_at_key unique (id, created_at);

alter table podcast_members add column podcast_created_at timestamptz(3);
update podcast_members m set podcast_created_at = p.created_at
  from podcasts p where p.id = m.podcast_id;
alter table podcast_members
  alter column podcast_created_at set not null,
  drop constraint podcast_members_podcast_id_fkey,
  add constraint podcast_members_podcast_fkey foreign key (podcast_id, podcast_created_at)
    references podcasts (id, created_at) on update cascade on delete cascade;

drop index podcast_members_of_user;
create index podcast_members_of_user
  on podcast_members (user_id, podcast_created_at, podcast_id);

create table api_keys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null default 'user' check (kind in ('user', 'site')),
  name text not null check (length(name) between 1 and 100),
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array['podcasts:read', 'analytics:read', 'episodes:read', 'transcripts:read',
      'sites:write']
    and (kind = 'site' or not 'sites:write' = any (scopes))
  ),
  -- Every podcast its user is a member of, now and later; otherwise those in api_key_podcasts.
  all_podcasts boolean not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- To the minute; never an address. Country and network are null where no registry tells them.
  last_used_at timestamptz(0),
  last_used_country text,
  last_used_network text
);

create index api_keys_of_user on api_keys (user_id, created_at desc, id desc);

-- A key's secret, and while a rolled key's old one still works, that one too: never a third.
create table api_key_secrets (
  key_id uuid not null references api_keys (id) on delete cascade,
  replaced boolean not null default false,
  -- SHA-256; the secret itself is kept nowhere.
  hash bytea not null check (length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  created_at timestamptz(3) not null,
  -- A replaced one: when it stops working.
  expires_at timestamptz(3) not null,
  -- When its user was told that it expires soon.
  reminded_at timestamptz(3),
  primary key (key_id, replaced)
);

-- A secret is found by one half of its hash; the other is compared in constant time.
create unique index api_key_secrets_found_by on api_key_secrets (substring(hash from 1 for 16));
create index api_key_secrets_to_remind on api_key_secrets (expires_at)
  where not replaced and reminded_at is null;

-- Podcasts that a key names, and those it is cut off from. A row that is blocked stays for ever,
-- also of a key that reads all podcasts: it is what keeps the podcast from being added again.
create table api_key_podcasts (
  key_id uuid not null references api_keys (id) on delete cascade,
  podcast_id uuid not null,
  podcast_created_at timestamptz(3) not null,
  blocked_at timestamptz(3),
  primary key (key_id, podcast_id),
  foreign key (podcast_id, podcast_created_at)
    references podcasts (id, created_at) on update cascade on delete cascade
);

create index api_key_podcasts_in_order
  on api_key_podcasts (key_id, podcast_created_at, podcast_id);
create index api_key_podcasts_of_podcast on api_key_podcasts (podcast_id);

-- Where a key was used from in the last thirty days, to tell a new place.
create table api_key_places (
  key_id uuid not null references api_keys (id) on delete cascade,
  country text,
  -- By its number alone: names change.
  network text,
  last_seen_at timestamptz(0) not null,
  constraint api_key_places_key unique nulls not distinct (key_id, country, network)
);
