-- Files that browsers send in pieces (docs/decisions/0031).
create table uploads (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('audio', 'image', 'transcript', 'chapters')),
  podcast_id uuid not null references podcasts (id) on delete cascade,
  -- Null: for the podcast itself.
  episode_id uuid references episodes (id) on delete cascade,
  -- As the client names it. Only shown.
  filename text not null,
  -- What the client said of the file at the beginning of the upload, returned unchanged.
  metadata jsonb not null,
  size_bytes bigint not null check (size_bytes > 0),
  -- What the client expects of the whole file; null: nothing.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),

  -- How many bytes are durable, and what the file store needs to continue (Growth).
  received_bytes bigint not null default 0,
  store_state text not null,
  check (received_bytes between 0 and size_bytes),

  -- The process and the request that write now; null: none. Only they change the two columns above.
  writer jsonb,
  writer_until timestamptz(3),
  -- Whether another request waits for the writer's end.
  writer_awaited boolean not null default false,
  check ((writer is null) = (writer_until is null)),

  -- When the whole file was stored.
  completed_at timestamptz(3),
  -- When it became part of the podcast; the upload's own file is deleted.
  used_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- A day after the last bytes, or after its use.
  expires_at timestamptz(3) not null,
  -- An upload ends with its sender's membership: nobody else can use or cancel it, and it counts as storage
  -- of the show's owner.
  constraint uploads_of_member foreign key (podcast_id, user_id)
    references podcast_members (podcast_id, user_id) on delete cascade
);
create index uploads_of_user on uploads (user_id, created_at);
create index uploads_expired on uploads (expires_at);
create index uploads_of_podcast on uploads (podcast_id);
create index uploads_of_episode on uploads (episode_id) where episode_id is not null;
