-- One row a feed being brought in. An import is repeated whole after a crash: each of its steps
-- finds what an earlier run has done, so the row needs no list of items.
create table imports (
  id uuid primary key,
  owner_id uuid not null references users (id) on delete cascade,
  podcast_id uuid references podcasts (id) on delete set null,
  -- Where the feed is now (permanent redirects followed); null for a file.
  source_url text,
  -- [{key, url, charset}]: the feed's pages as they were read, in the blob store while it runs.
  documents jsonb not null,
  copy_audio boolean not null,
  creates_podcast boolean not null,
  state text not null default 'running' check (state in ('running', 'finished', 'failed')),
  -- Which process carries the import out, and until when it may be believed to; both null while
  -- none does. Past that, or when the process is known to be dead, another takes over.
  holder jsonb,
  lease_until timestamptz(3),
  -- Taken over so often, and never ended: what keeps killing its process is given up.
  attempts integer not null default 0,
  progress jsonb not null,
  -- What was to be said of the feed itself, before its items were looked at.
  warnings jsonb not null default '[]',
  report jsonb,
  error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((holder is null) = (lease_until is null))
);

-- Two imports of one podcast would undo each other's work.
create unique index imports_one_running on imports (podcast_id) where state = 'running';
create index imports_running on imports (created_at, id) where state = 'running';
create index imports_of_podcast on imports (podcast_id, created_at desc, id desc);
create index imports_of_owner on imports (owner_id, source_url, created_at desc, id desc);
