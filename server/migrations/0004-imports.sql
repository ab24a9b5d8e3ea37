-- One row a feed being brought in. An import is repeated whole after a crash: each of its steps
-- finds what an earlier run has done, so the row needs no list of items.
create table imports (
  id uuid primary key,
  owner_id uuid not null references users (id),
  podcast_id uuid references podcasts (id) on delete set null,
  -- The address it came from; null for a file, whose text is kept in the blob store.
  source_url text,
  document_key text not null,
  wanted_slug text,
  copy_audio boolean not null,
  state text not null default 'running' check (state in ('running', 'finished', 'failed')),
  -- Whoever carries the import out renews this; past it another process may take over.
  lease_until timestamptz(3),
  progress jsonb not null,
  report jsonb,
  error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index imports_unfinished on imports (lease_until) where state = 'running';
create index imports_of_podcast on imports (podcast_id, created_at desc, id desc);
create index imports_of_owner on imports (owner_id, created_at desc, id desc);
