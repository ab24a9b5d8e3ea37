-- The bytes of what people write and import: show notes, descriptions, transcripts, chapters, bios. No
-- storage of a plan counts them, but they fill the same disk. docs/decisions/0176.
-- Each row counts a little more than its texts, because many empty rows need room too.
alter table podcasts add column text_bytes integer not null generated always as (
  1000 + octet_length(title) + octet_length(description) + coalesce(octet_length(subtitle), 0)
  + octet_length(extra_elements::text) + octet_length(other_funding::text)
) stored;
alter table people add column text_bytes integer not null generated always as (
  500 + octet_length(name) + coalesce(octet_length(bio), 0) + coalesce(octet_length(link_url), 0)
) stored;
alter table episodes add column text_bytes integer not null generated always as (
  1000 + octet_length(title) + octet_length(description) + coalesce(octet_length(subtitle), 0)
  + coalesce(octet_length(show_notes), 0) + coalesce(octet_length(show_notes_html), 0)
  + octet_length(extra_elements::text)
) stored;
alter table chapters add column text_bytes integer not null generated always as (
  octet_length(chapters::text)
) stored;
-- Of all segments, each with 100 bytes for its row. Written with them.
alter table transcripts add column text_bytes integer;
update transcripts t set text_bytes = (select coalesce(sum(100 + octet_length(speaker) + octet_length(body)), 0)
  from transcript_segments s where s.episode_id = t.episode_id);
alter table transcripts alter column text_bytes set not null;
alter table further_transcripts add column text_bytes integer;
update further_transcripts t set text_bytes = (select coalesce(sum(100 + octet_length(speaker) + octet_length(body)), 0)
  from further_transcript_segments s where s.episode_id = t.episode_id and s.language = t.language);
alter table further_transcripts alter column text_bytes set not null;

-- What the texts of a podcast have grown by: a row for each change, so that two that change a podcast do not
-- wait for each other, and the sum of earlier ones. A job adds them up. Podcasts that are gone leave rows, which
-- it deletes: no foreign key, because the texts of a podcast end after it.
create table podcast_texts (
  podcast_id uuid not null,
  bytes bigint not null,
  -- The transaction that has made the change; null for a sum.
  made_by xid8 default pg_current_xact_id()
);
create index podcast_texts_of_podcast on podcast_texts (podcast_id) include (bytes);

create or replace function note_ending_episode() returns trigger language plpgsql as $$
begin
  -- Of a podcast that is deleted with its episodes, nothing is taken off: its sums are gone already.
  if not exists (select from podcasts where id = old.podcast_id) then return old; end if;
  perform change_podcast_storage(old.podcast_id, -coalesce(sum(size_bytes), 0)::bigint, 0) from (
    select size_bytes from audio_files where episode_id = old.id and blob_key is not null
    union all select size_bytes from audio_replacements where episode_id = old.id) files;
  insert into podcast_texts (podcast_id, bytes)
  select old.podcast_id, -old.text_bytes - coalesce(sum(text_bytes), 0) from (
    select text_bytes from chapters where episode_id = old.id
    union all select text_bytes from transcripts where episode_id = old.id
    union all select text_bytes from further_transcripts where episode_id = old.id) parts;
  return old;
end
$$;

create function note_texts_of_podcast() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes) values (new.id,
    new.text_bytes - case tg_op when 'INSERT' then 0 else old.text_bytes end);
  return null;
end
$$;

-- Of people and episodes. Episodes that end are taken off before it.
create function note_texts_in_podcast() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes) values (
    case tg_op when 'DELETE' then old.podcast_id else new.podcast_id end,
    case tg_op when 'DELETE' then 0 else new.text_bytes end
      - case tg_op when 'INSERT' then 0 else old.text_bytes end);
  return null;
end
$$;

-- Of chapters and transcripts. Those that end with their episode are taken off before it.
create function note_texts_of_episode() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes)
  select podcast_id, case tg_op when 'DELETE' then 0 else new.text_bytes end
    - case tg_op when 'INSERT' then 0 else old.text_bytes end
  from episodes where id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end;
  return null;
end
$$;

insert into podcast_texts (podcast_id, bytes, made_by)
select podcast_id, sum(text_bytes), null from (
  select id as podcast_id, text_bytes from podcasts
  union all select podcast_id, text_bytes from people
  union all select podcast_id, text_bytes from episodes
  union all select e.podcast_id, t.text_bytes from episodes e join (
    select episode_id, text_bytes from chapters
    union all select episode_id, text_bytes from transcripts
    union all select episode_id, text_bytes from further_transcripts) t on t.episode_id = e.id
) stored group by podcast_id;

create trigger podcast_texts_stored after insert or update of text_bytes on podcasts
  for each row execute function note_texts_of_podcast();
create trigger people_texts_stored after insert or delete or update of text_bytes on people
  for each row execute function note_texts_in_podcast();
create trigger episode_texts_stored after insert or update of text_bytes on episodes
  for each row execute function note_texts_in_podcast();
create trigger chapters_stored after insert or delete or update of text_bytes on chapters
  for each row execute function note_texts_of_episode();
create trigger transcript_stored after insert or delete or update of text_bytes on transcripts
  for each row execute function note_texts_of_episode();
create trigger further_transcript_stored
  after insert or delete or update of text_bytes on further_transcripts
  for each row execute function note_texts_of_episode();
