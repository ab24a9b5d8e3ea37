-- Audio that is to replace an episode's audio, while the two are compared (docs/decisions/0023). A newer
-- one of the same episode replaces the row.
create table audio_replacements (
  episode_id uuid primary key references episodes (id) on delete cascade,
  id uuid not null unique,
  -- The audio with which it is compared. Accepting requires that the episode still has it.
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
  -- [{oldStartMs, oldEndMs, newStartMs, confidence}]: where this audio contains the old audio.
  parts jsonb,
  -- As in waveforms, of this audio.
  peaks bytea,
  check ((state = 'aligned') = (parts is not null)),

  -- As in waveforms.
  account_id uuid,
  -- How often comparing was tried. A try that ends its process leaves `due_at` in the future.
  attempts integer not null default 0,
  -- Not to be compared before then; null: done.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- When the row and its file are deleted.
  expires_at timestamptz(3) not null,
  check ((state = 'waiting') = (due_at is not null))
);
-- As waveforms_waiting.
create index audio_replacements_waiting
  on audio_replacements (coalesce(account_id, '00000000-0000-0000-0000-000000000000'::uuid), due_at)
  where due_at is not null;
create index audio_replacements_expired on audio_replacements (expires_at);
