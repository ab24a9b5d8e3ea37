create table audio_files (
  episode_id uuid primary key references episodes (id) on delete cascade,
  -- Either a copy here (its key in the blob store) or, until there is one, the URL elsewhere.
  blob_key text unique,
  source_url text,
  content_type text not null,
  -- The end of audio URLs, without the dot.
  extension text not null check (extension ~ '^[a-z0-9]{2,5}$'),
  size_bytes bigint,
  duration_ms integer check (duration_ms >= 0),
  -- Of the copy: the strong ETag, the average bit rate, and the size of the tag before the first frame.
  sha256 text,
  bitrate_bps integer,
  leading_tag_bytes bigint not null default 0,
  updated_at timestamptz(3) not null,
  check (blob_key is not null or source_url is not null),
  check (blob_key is null or (sha256 is not null and size_bytes is not null)),
  -- Downloads are counted in seconds of audio, which need the duration and the bit rate of each copy.
  constraint audio_files_copy_has_length
    check (blob_key is null or (duration_ms is not null and bitrate_bps is not null))
);
-- Finds the episodes of a waveform.
create index audio_files_by_content on audio_files (sha256) where sha256 is not null;

-- How loud an audio file is from beginning to end, once for each content, however many episodes have it.
-- The row is written with the audio, and requests the drawing.
create table waveforms (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  -- One byte for each of at most 400 equal parts, 255 for the loudest; null: not drawn.
  peaks bytea check (length(peaks) between 1 and 400),
  -- Of the audio that was drawn.
  duration_ms integer,
  -- Whose audio it was when it was queued; null when nothing is to be drawn. No foreign key: it only decides
  -- the order.
  account_id uuid,
  -- How often drawing was tried. A try that ends its process leaves `due_at` in the future, and is repeated.
  attempts integer not null default 0,
  -- Not to be tried before then; null: drawn, or impossible to draw.
  due_at timestamptz(3),
  -- When an episode last got this audio: rows of audio that no episode has are deleted a day later.
  asked_at timestamptz(3) not null,
  check (peaks is null or (due_at is null and duration_ms is not null))
);
-- The accounts with due work, and the first work of each: a claim reads one row for each account instead of
-- sorting all that is due. `coalesce` finds work without an account, too.
create index waveforms_waiting
  on waveforms (coalesce(account_id, '00000000-0000-0000-0000-000000000000'::uuid), due_at)
  where due_at is not null and attempts < 3;
