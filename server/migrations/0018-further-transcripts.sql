-- Transcripts of an episode in further languages. They are there beside the first one only: it takes
-- them along when it is deleted. Languages are BCP 47 in canonical spelling, as in addresses.
create table further_transcripts (
  episode_id uuid not null references transcripts (episode_id) on delete cascade,
  language text not null
    check (language ~ '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$' and length(language) <= 35),
  word_count integer not null,
  duration_ms integer not null,
  segment_count integer not null,
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
