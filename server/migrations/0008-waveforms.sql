-- How loud an audio file is from beginning to end, once for its content, whichever episodes have it.
-- The row is put with the audio, and is the order to draw it.
create table waveforms (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  -- One byte for each of at most 400 equal parts, the loudest 255; null: not drawn (yet).
  peaks bytea check (length(peaks) between 1 and 400),
  -- Of which the parts are equal parts.
  duration_ms integer,
  -- Tried so often. A try that ends its process leaves `due_at` in the future, and is found again.
  attempts integer not null default 0,
  -- Not to be tried before then; null: drawn, or found to be nothing that can be drawn.
  due_at timestamptz(3),
  -- When an episode last got this audio: rows of audio that nobody has are removed a day later.
  asked_at timestamptz(3) not null,
  check (peaks is null or (due_at is null and duration_ms is not null))
);

-- What is to be drawn next.
create index waveforms_due on waveforms (due_at) where due_at is not null and attempts < 3;
-- Whose waveform it is.
create index audio_files_by_content on audio_files (sha256) where sha256 is not null;

insert into waveforms (sha256, due_at, asked_at)
  select distinct sha256, now(), now() from audio_files
  where blob_key is not null and content_type = 'audio/mpeg';
