-- Audio that is to replace an episode's, while it is compared with the present one: see
-- docs/decisions/0103. A newer one of the episode takes its place.
create table audio_replacements (
  episode_id uuid primary key references episodes (id) on delete cascade,
  id uuid not null unique,
  -- The audio with which it is compared, and that has to be there when it is accepted.
  replaces_sha256 text not null,

  -- As in audio_files.
  blob_key text not null unique,
  content_type text not null,
  extension text not null,
  size_bytes bigint not null,
  duration_ms integer not null,
  sha256 text not null,
  bitrate_bps integer not null,
  leading_tag_bytes bigint not null,

  -- `incomparable`: there is no decoder for one of them, or one cannot be decoded.
  state text not null check (state in ('waiting', 'aligned', 'different', 'incomparable')),
  -- [{oldStartMs, oldEndMs, newStartMs, confidence}]: where the old audio is in this one.
  parts jsonb,
  -- As in waveforms, of this audio.
  peaks bytea,
  check ((state = 'aligned') = (parts is not null)),

  -- Comparing it was tried so often. A try that ends its process leaves `due_at` in the future.
  attempts integer not null default 0,
  -- Not to be compared before then; null: it was.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- Then the row is removed, and its file with it.
  expires_at timestamptz(3) not null,
  check ((state = 'waiting') = (due_at is not null))
);

-- What is to be compared next.
create index audio_replacements_due on audio_replacements (due_at) where due_at is not null;
create index audio_replacements_expired on audio_replacements (expires_at);
