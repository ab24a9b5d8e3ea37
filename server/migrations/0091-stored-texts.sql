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

alter table podcast_storage add column text_bytes bigint not null default 0 check (text_bytes >= 0);

drop function change_podcast_storage(uuid, bigint, bigint);
create function change_podcast_storage(podcast uuid, audio bigint, images bigint, texts bigint default 0)
returns void language plpgsql as $$
begin
  -- A podcast that is being deleted takes its row along.
  if (audio = 0 and images = 0 and texts = 0)
    or not exists (select from podcasts where id = podcast) then
    return;
  end if;
  update podcast_storage set audio_bytes = audio_bytes + audio, image_bytes = image_bytes + images,
    text_bytes = text_bytes + texts
  where podcast_id = podcast;
  if found or audio + images + texts < 0 then return; end if;
  insert into podcast_storage as kept (podcast_id, audio_bytes, image_bytes, text_bytes)
  values (podcast, audio, images, texts)
  on conflict (podcast_id) do update set audio_bytes = kept.audio_bytes + audio,
    image_bytes = kept.image_bytes + images, text_bytes = kept.text_bytes + texts;
end
$$;

create or replace function note_ending_episode() returns trigger language plpgsql as $$
begin
  perform change_podcast_storage(old.podcast_id, -audio.bytes, 0, -old.text_bytes - texts.bytes)
  from (select coalesce(sum(size_bytes), 0)::bigint as bytes from (
    select size_bytes from audio_files where episode_id = old.id and blob_key is not null
    union all select size_bytes from audio_replacements where episode_id = old.id) files) audio,
  (select coalesce(sum(text_bytes), 0)::bigint as bytes from (
    select text_bytes from chapters where episode_id = old.id
    union all select text_bytes from transcripts where episode_id = old.id
    union all select text_bytes from further_transcripts where episode_id = old.id) parts) texts;
  return old;
end
$$;

create function note_texts_of_podcast() returns trigger language plpgsql as $$
begin
  perform change_podcast_storage(new.id, 0, 0,
    new.text_bytes - case tg_op when 'INSERT' then 0 else old.text_bytes end);
  return null;
end
$$;

-- Of people and episodes. Episodes that end are taken off before it.
create function note_texts_in_podcast() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform change_podcast_storage(old.podcast_id, 0, 0, -old.text_bytes);
  else
    perform change_podcast_storage(new.podcast_id, 0, 0,
      new.text_bytes - case tg_op when 'INSERT' then 0 else old.text_bytes end);
  end if;
  return null;
end
$$;

-- Of chapters and transcripts. Those that end with their episode are taken off before it.
create function note_texts_of_episode() returns trigger language plpgsql as $$
declare
  bytes bigint := 0;
begin
  if tg_op <> 'INSERT' then bytes := bytes - old.text_bytes; end if;
  if tg_op <> 'DELETE' then bytes := bytes + new.text_bytes; end if;
  perform change_podcast_storage(e.podcast_id, 0, 0, bytes) from episodes e
  where bytes <> 0 and e.id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end;
  return null;
end
$$;

insert into podcast_storage as kept (podcast_id, audio_bytes, image_bytes, text_bytes)
select podcast_id, 0, 0, sum(text_bytes) from (
  select id as podcast_id, text_bytes from podcasts
  union all select podcast_id, text_bytes from people
  union all select podcast_id, text_bytes from episodes
  union all select e.podcast_id, t.text_bytes from episodes e join (
    select episode_id, text_bytes from chapters
    union all select episode_id, text_bytes from transcripts
    union all select episode_id, text_bytes from further_transcripts) t on t.episode_id = e.id
) stored group by podcast_id
on conflict (podcast_id) do update set text_bytes = excluded.text_bytes;

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
