-- One row for each import of a feed. After a crash, an import starts again: each step finds what an earlier
-- run has done, so the row needs no list of items.
create table imports (
  id uuid primary key,
  owner_id uuid not null references users (id) on delete cascade,
  -- Null until the feed was read. An import ends with its podcast: it loses its row, and stops.
  podcast_id uuid references podcasts (id) on delete cascade,
  -- The feed's URL, after permanent redirects; null for a file.
  source_url text,
  -- The slug for a new show, and the slug of the show to import into, until the feed was read.
  wanted_slug text,
  into_slug text,
  creates_podcast boolean not null,
  copy_audio boolean not null,
  dry_run boolean not null default false,
  overwrite boolean not null default false,
  ignore_lock boolean not null default false,
  -- [{key, url, charset}]: the feed's pages as they were read, in the blob store while it runs.
  documents jsonb not null,

  state text not null default 'running'
    check (state in ('running', 'finished', 'failed', 'cancelled')),
  -- Which process runs the import, and until when it is presumed alive; null: none does. Afterwards, or when
  -- the process is known to be dead, another one continues.
  holder jsonb,
  lease_until timestamptz(3),
  -- How often a process took it without ending it: an import that keeps killing its process is given up.
  attempts integer not null default 0,
  -- How far any process has come: the number of the phase, and how much of it remains. Each process begins at
  -- the beginning, and finds most of it done.
  reached_phase smallint not null default 0,
  reached_left integer not null default 2147483647,
  -- How many processes died with it since it last came further than ever before.
  deaths integer not null default 0,
  progress jsonb not null,
  -- About the feed itself, before its items are read.
  warnings jsonb not null default '[]',
  report jsonb,
  -- Why it failed: in words, and for programs.
  error text,
  error_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((holder is null) = (lease_until is null))
);
-- Two imports into one podcast would undo each other's work.
create unique index imports_one_running on imports (podcast_id) where state = 'running';
create index imports_running on imports (created_at, id) where state = 'running';
create index imports_of_podcast on imports (podcast_id, created_at desc, id desc);
create index imports_of_owner on imports (owner_id, source_url, created_at desc, id desc);
create index imports_of_owner_by_age on imports (owner_id, created_at desc, id desc);

-- Who owns a locked feed, proved by a code sent to the email address that the feed names.
create table feed_proofs (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- HMAC of the feed's URL and its owner's email address: reveals neither.
  feed_tag bytea not null,
  -- HMAC of the code; null once someone entered it.
  code_hash bytea,
  tries integer not null default 0,
  expires_at timestamptz(3) not null,
  proved_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (user_id, feed_tag),
  check ((code_hash is null) = (proved_at is not null))
);
