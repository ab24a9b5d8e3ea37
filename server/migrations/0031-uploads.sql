-- Files on their way from a browser, in pieces: see docs/decisions/0101.
create table uploads (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('audio', 'image', 'transcript', 'chapters')),
  podcast_id uuid not null references podcasts (id) on delete cascade,
  -- Null: for the podcast itself.
  episode_id uuid references episodes (id) on delete cascade,
  -- As the sender names it. Only shown.
  filename text not null,
  size_bytes bigint not null check (size_bytes > 0),
  -- What the sender says of the whole file; null: nothing.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),

  -- Durable bytes from the beginning, and what the file store needs to go on (Growth).
  received_bytes bigint not null default 0,
  store_state text not null,
  check (received_bytes between 0 and size_bytes),

  -- The process and the request that write at present; null: none. Only they change the two above.
  writer jsonb,
  writer_until timestamptz(3),
  -- Whether another request waits for the writer's end.
  writer_awaited boolean not null default false,
  check ((writer is null) = (writer_until is null)),

  -- The whole file is in the store.
  completed_at timestamptz(3),
  -- It became part of the podcast; the file of the upload itself is gone.
  used_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- A day after the last bytes, or after its use.
  expires_at timestamptz(3) not null
);
create index uploads_of_user on uploads (user_id, created_at);
create index uploads_expired on uploads (expires_at);
create index uploads_of_podcast on uploads (podcast_id);
create index uploads_of_episode on uploads (episode_id) where episode_id is not null;
