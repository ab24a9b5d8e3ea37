-- Statements that insert many rows change the sum of a podcast once. A row that one transaction changes
-- 100,000 times takes minutes, because each change passes all earlier ones.
create function note_new_texts_in_podcast() returns trigger language plpgsql as $$
begin
  perform change_podcast_storage(podcast_id, 0, 0, sum(text_bytes)::bigint)
  from new_rows group by podcast_id;
  return null;
end
$$;

create function note_new_texts_of_episode() returns trigger language plpgsql as $$
begin
  perform change_podcast_storage(e.podcast_id, 0, 0, sum(n.text_bytes)::bigint)
  from new_rows n join episodes e on e.id = n.episode_id group by e.podcast_id;
  return null;
end
$$;

drop trigger people_texts_stored on people;
create trigger people_texts_stored after delete or update of text_bytes on people
  for each row execute function note_texts_in_podcast();
create trigger new_people_texts_stored after insert on people
  referencing new table as new_rows for each statement execute function note_new_texts_in_podcast();

drop trigger episode_texts_stored on episodes;
create trigger episode_texts_stored after update of text_bytes on episodes
  for each row execute function note_texts_in_podcast();
create trigger new_episode_texts_stored after insert on episodes
  referencing new table as new_rows for each statement execute function note_new_texts_in_podcast();

drop trigger chapters_stored on chapters;
create trigger chapters_stored after delete or update of text_bytes on chapters
  for each row execute function note_texts_of_episode();
create trigger new_chapters_stored after insert on chapters
  referencing new table as new_rows for each statement execute function note_new_texts_of_episode();

drop trigger transcript_stored on transcripts;
create trigger transcript_stored after delete or update of text_bytes on transcripts
  for each row execute function note_texts_of_episode();
create trigger new_transcript_stored after insert on transcripts
  referencing new table as new_rows for each statement execute function note_new_texts_of_episode();

drop trigger further_transcript_stored on further_transcripts;
create trigger further_transcript_stored after delete or update of text_bytes on further_transcripts
  for each row execute function note_texts_of_episode();
create trigger new_further_transcript_stored after insert on further_transcripts
  referencing new table as new_rows for each statement execute function note_new_texts_of_episode();

-- Of a podcast that is deleted with its episodes, nothing is taken off: its sums are gone already.
create or replace function note_ending_episode() returns trigger language plpgsql as $$
begin
  if exists (select from podcast_storage where podcast_id = old.podcast_id) then
    perform change_podcast_storage(old.podcast_id, -audio.bytes, 0, -old.text_bytes - texts.bytes)
    from (select coalesce(sum(size_bytes), 0)::bigint as bytes from (
      select size_bytes from audio_files where episode_id = old.id and blob_key is not null
      union all select size_bytes from audio_replacements where episode_id = old.id) files) audio,
    (select coalesce(sum(text_bytes), 0)::bigint as bytes from (
      select text_bytes from chapters where episode_id = old.id
      union all select text_bytes from transcripts where episode_id = old.id
      union all select text_bytes from further_transcripts where episode_id = old.id) parts) texts;
  end if;
  return old;
end
$$;
