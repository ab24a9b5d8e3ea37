create table transcripts (
  episode_id uuid primary key references episodes (id) on delete cascade,
  language text not null,
  -- Whether the segments have times. Without times, all of them start and end at 0.
  has_times boolean not null default true,
  word_count integer not null,
  duration_ms integer not null,
  segment_count integer not null,
  -- Of all segments, each with 100 bytes for its row. Written with them.
  text_bytes integer not null,
  updated_at timestamptz(3) not null
);

create table transcript_segments (
  episode_id uuid not null references transcripts (episode_id) on delete cascade,
  position integer not null,
  start_ms integer not null,
  end_ms integer not null,
  speaker text not null,
  body text not null,
  primary key (episode_id, position)
);

-- Transcripts in further languages. They exist only beside the first one, and are deleted with it.
create table further_transcripts (
  episode_id uuid not null references transcripts (episode_id) on delete cascade,
  -- BCP 47 in canonical spelling, as in URLs.
  language text not null
    check (language ~ '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$' and length(language) <= 35),
  has_times boolean not null default true,
  word_count integer not null,
  duration_ms integer not null,
  segment_count integer not null,
  text_bytes integer not null,
  updated_at timestamptz(3) not null,
  primary key (episode_id, language)
);

create table further_transcript_segments (
  episode_id uuid not null,
  language text not null,
  position integer not null,
  start_ms integer not null,
  end_ms integer not null,
  speaker text not null,
  body text not null,
  primary key (episode_id, language, position),
  foreign key (episode_id, language)
    references further_transcripts (episode_id, language) on delete cascade
);

create table chapters (
  episode_id uuid primary key references episodes (id) on delete cascade,
  -- [{start_ms, end_ms?, title?, image_url?, link_url?, hidden?}], in order of time.
  chapters jsonb not null,
  updated_at timestamptz(3) not null,
  text_bytes integer not null generated always as (octet_length(chapters::text)) stored
);
